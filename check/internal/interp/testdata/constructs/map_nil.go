package constructs

// MapNil reads of a nil map, which is empty.
type MapNil struct {
	m map[int]int
	x int
}

func NewMapNil(int) *MapNil { return &MapNil{} }

// Lock makes these accesses:
//
//	m = map, x := 0, m = map, x := 5, m = map, x := 7
func (l *MapNil) Lock(int) {
	l.x = len(l.m)
	if v, ok := l.m[1]; !ok {
		l.x = v + 5
	}
	if l.m == nil {
		l.x = 7
	}
}

func (l *MapNil) Unlock(int) {}
