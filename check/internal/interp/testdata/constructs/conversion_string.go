package constructs

// ConversionString makes a string of a number.
type ConversionString struct{ x int }

func NewConversionString(int) *ConversionString { return &ConversionString{x: 65} }

// Lock makes these accesses:
//
//	x = 65, x := 1
func (l *ConversionString) Lock(int) {
	l.x = len(string(rune(l.x)))
}

func (l *ConversionString) Unlock(int) {}
