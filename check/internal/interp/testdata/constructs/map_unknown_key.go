package constructs

import "os"

// MapUnknownKey reads of a map that has been given a key which is not known.
type MapUnknownKey struct {
	m map[int]int
	x int
}

func NewMapUnknownKey(int) *MapUnknownKey {
	return &MapUnknownKey{m: map[int]int{1: 2, len(os.Args): 3}}
}

// Lock makes these accesses:
//
//	m = map, x := 1, m = map
func (l *MapUnknownKey) Lock(int) {
	if l.m != nil {
		l.x = 1
	}
	l.x = l.m[1] // refused: reads a map that is not fully known
}

func (l *MapUnknownKey) Unlock(int) {}
