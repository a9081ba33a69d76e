package constructs

// MapInterface looks up by the type and the value in an interface.
type MapInterface struct {
	m map[any]int
	x int
}

func NewMapInterface(int) *MapInterface {
	return &MapInterface{m: map[any]int{1: 1, int8(1): 2, "1": 3, nil: 4}}
}

// Lock makes these accesses:
//
//	m = map, x := 1, m = map, x := 2, m = map, x := 3, m = map, x := 4, m = map, x := 0,
//	m = map
func (l *MapInterface) Lock(int) {
	l.x = l.m[1]
	l.x = l.m[int8(1)]
	l.x = l.m["1"]
	l.x = l.m[nil]
	l.x = l.m[uint8(1)]
	l.x = l.m[[]int{}] // refused: reads a map that is not fully known
}

func (l *MapInterface) Unlock(int) {}
