package constructs

// AppendRoom writes where there is room.
type AppendRoom struct {
	a [3]int
	x int
}

func NewAppendRoom(int) *AppendRoom { return &AppendRoom{} }

// Lock makes these accesses:
//
//	a[1] := 5, a[2] := 6, x := 3
func (l *AppendRoom) Lock(int) {
	s := append(l.a[:1], 5, 6)
	l.x = len(s)
}

func (l *AppendRoom) Unlock(int) {}
