package constructs

// MakeSliceMany makes a slice of more elements than are modeled.
type MakeSliceMany struct {
	n int
	x int
}

func NewMakeSliceMany(int) *MakeSliceMany { return &MakeSliceMany{n: 1} }

// Lock makes these accesses:
//
//	x := 1, n = 1
func (l *MakeSliceMany) Lock(int) {
	l.x = 1
	_ = make([]struct{}, l.n<<31) // refused: makes a slice of 2147483648 elements
}

func (l *MakeSliceMany) Unlock(int) {}
