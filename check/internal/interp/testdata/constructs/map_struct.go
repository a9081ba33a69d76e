package constructs

// MapStruct looks up structs by structs.
type MapStruct struct {
	m map[pair]pair
	x int
}

func NewMapStruct(int) *MapStruct {
	return &MapStruct{m: map[pair]pair{{1, 2}: {3, 4}, {2, 1}: {5, 6}}}
}

type pair struct{ a, b int }

// Lock makes these accesses:
//
//	m = map, x := 56, m = map, x := 0, m = map, x := 4
func (l *MapStruct) Lock(int) {
	p, ok := l.m[pair{2, 1}]
	if ok {
		l.x = p.a*10 + p.b
	}
	if p, ok = l.m[pair{2, 2}]; !ok {
		l.x = p.a
	}
	l.x = l.m[pair{1, 2}].b
}

func (l *MapStruct) Unlock(int) {}
