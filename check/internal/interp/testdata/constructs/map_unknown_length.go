package constructs

import "os"

// MapUnknownLength asks for the length of a map after an unknown key was deleted.
type MapUnknownLength struct {
	m map[int]int
	x int
}

func NewMapUnknownLength(int) *MapUnknownLength {
	m := map[int]int{1: 2}
	delete(m, len(os.Args))
	return &MapUnknownLength{m: m}
}

// Lock makes these accesses:
//
//	m = map
func (l *MapUnknownLength) Lock(int) {
	l.x = len(l.m) // refused: asks for the length of a map that is not fully known
}

func (l *MapUnknownLength) Unlock(int) {}
