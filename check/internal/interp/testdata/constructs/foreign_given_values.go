package constructs

import "sort"

// ForeignGivenValues uses what a map led to that was given to a function that is not read.
type ForeignGivenValues struct {
	p, q *int
	x    int
}

func NewForeignGivenValues(int) *ForeignGivenValues {
	l := &ForeignGivenValues{p: new(int), q: new(int)}
	sort.Sort(pointers{{1: l.p}})
	return l
}

type pointers []map[int]*int

func (p pointers) Len() int           { return len(p) }
func (p pointers) Less(i, j int) bool { return len(p[i]) < len(p[j]) }
func (p pointers) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }

// Lock makes these accesses:
//
//	q = q, q = 0, x := 0, p = p, p = unknown, x = 0
func (l *ForeignGivenValues) Lock(int) {
	l.x = *l.q
	l.x += *l.p // refused: uses memory that sort.Sort was given, which cannot be modeled
}

func (l *ForeignGivenValues) Unlock(int) {}
