package constructs

// MapWrite writes to a map.
type MapWrite struct{ m map[int]int }

func NewMapWrite(int) *MapWrite { return &MapWrite{m: map[int]int{1: 2}} }

// Lock makes these accesses:
//
//	m = map
func (l *MapWrite) Lock(int) {
	l.m[1] = 3 // refused: writes to a map
}

func (l *MapWrite) Unlock(int) {}
