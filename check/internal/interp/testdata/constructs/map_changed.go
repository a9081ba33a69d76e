package constructs

// MapChanged reads of maps in which keys have been replaced, deleted and cleared.
type MapChanged struct {
	m map[string]int
	n map[string]int
	x int
}

func NewMapChanged(int) *MapChanged {
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	delete(m, "a")
	delete(m, "d")
	m["b"] = 5
	n := map[string]int{"a": 1}
	clear(n)
	n["c"] = 8
	delete(n, "a")
	return &MapChanged{m: m, n: n}
}

// Lock makes these accesses:
//
//	m = map, x := 2, m = map, m = map, m = map, x := 53, m = map, n = map, x := 1,
//	n = map, x := 8, n = map, n = map, x := 0
func (l *MapChanged) Lock(int) {
	l.x = len(l.m)
	l.x = l.m["a"]*100 + l.m["b"]*10 + l.m["c"]
	if _, ok := l.m["a"]; !ok {
		l.x = len(l.n)
	}
	if v, ok := l.n["c"]; ok {
		l.x = v
	}
	if l.n != nil {
		l.x = l.n["a"]
	}
}

func (l *MapChanged) Unlock(int) {}
