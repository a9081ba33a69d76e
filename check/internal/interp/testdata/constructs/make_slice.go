package constructs

// MakeSlice makes a slice with room.
type MakeSlice struct{ x int }

func NewMakeSlice(int) *MakeSlice { return &MakeSlice{x: 2} }

// Lock makes these accesses:
//
//	x = 2, x := 253
func (l *MakeSlice) Lock(int) {
	s := make([]int, l.x, 5)
	s[1] = 3
	l.x = len(s)*100 + cap(s)*10 + s[1]
}

func (l *MakeSlice) Unlock(int) {}
