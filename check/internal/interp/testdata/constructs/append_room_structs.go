package constructs

// AppendRoomStructs appends structs where there is room, and where there is none.
type AppendRoomStructs struct {
	a [3]pair
	x int
}

func NewAppendRoomStructs(int) *AppendRoomStructs {
	return &AppendRoomStructs{a: [3]pair{{1, 2}, {3, 4}, {5, 6}}}
}

// Lock makes these accesses:
//
//	a[1].a := 7, a[1].b := 8, a[1].a = 7, a[1].b = 8, x := 78, a[0].a = 1, a[0].b = 2,
//	a[1].a = 7, a[1].b = 8, a[0].a = 1, a[0].b = 2, a[1].a = 7, a[1].b = 8, x := 27
func (l *AppendRoomStructs) Lock(int) {
	s := append(l.a[:1], pair{7, 8})
	l.x = s[1].a*10 + s[1].b
	s = append(s, s...)
	l.x = s[2].b*10 + s[3].a
	s[1].a = 9
}

func (l *AppendRoomStructs) Unlock(int) {}
