package constructs

// MapMake makes a map.
type MapMake struct{ x int }

func NewMapMake(int) *MapMake { return &MapMake{} }

// Lock makes these accesses:
//
//	x := 1
func (l *MapMake) Lock(int) {
	l.x = 1
	_ = map[int]int{} // refused: makes a map
}

func (l *MapMake) Unlock(int) {}
