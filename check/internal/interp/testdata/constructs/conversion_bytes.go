package constructs

// ConversionBytes makes a string of bytes.
type ConversionBytes struct {
	b [2]byte
	x int
}

func NewConversionBytes(int) *ConversionBytes { return &ConversionBytes{b: [2]byte{65, 66}} }

// Lock makes these accesses:
//
//	b[1] = 66, x := 68
func (l *ConversionBytes) Lock(int) {
	b := []byte("ab")
	b[0] = l.b[1]
	l.x = len(string(b)) + int(string(b)[0])
	l.x = len(string(l.b[:])) // refused: turns memory that New has built into a string
}

func (l *ConversionBytes) Unlock(int) {}
