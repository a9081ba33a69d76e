package constructs

// MapRead looks up in a map.
type MapRead struct {
	m map[int]int
	x int
}

func NewMapRead(int) *MapRead { return &MapRead{m: map[int]int{1: 2}} }

// Lock makes these accesses:
//
//	m = map, x := 2
func (l *MapRead) Lock(int) {
	l.x = l.m[1]
}

func (l *MapRead) Unlock(int) {}
