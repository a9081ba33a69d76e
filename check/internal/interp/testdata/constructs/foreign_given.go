package constructs

import "sort"

// ForeignGiven uses what was given to a function that is not read.
type ForeignGiven struct {
	s, t []int
	x    int
}

func NewForeignGiven(int) *ForeignGiven {
	l := &ForeignGiven{s: []int{2, 1}, t: []int{3}}
	sort.Ints(l.s)
	return l
}

// Lock makes these accesses:
//
//	s = slice, t = slice, t[0] = 3, x := 5, s = slice, s[0] = unknown, x = 5
func (l *ForeignGiven) Lock(int) {
	l.x = len(l.s) + l.t[0]
	l.x += l.s[0] // refused: uses memory that sort.Ints was given, which cannot be modeled
}

func (l *ForeignGiven) Unlock(int) {}
