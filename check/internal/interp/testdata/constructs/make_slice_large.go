package constructs

// MakeSliceLarge panics where there is no room in any memory.
type MakeSliceLarge struct {
	n int
	x int
}

func NewMakeSliceLarge(int) *MakeSliceLarge { return &MakeSliceLarge{n: 1} }

// Lock makes these accesses:
//
//	n = 1
func (l *MakeSliceLarge) Lock(int) {
	s := make([]byte, 1<<48+l.n) // fails: makes a slice of length 281474976710657
	l.x = len(s)
}

func (l *MakeSliceLarge) Unlock(int) {}
