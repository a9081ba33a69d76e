package constructs

import "sort"

// ForeignGivenMap uses a map that was given to a function that is not read.
type ForeignGivenMap struct {
	m, n map[int]int
	x    int
}

func NewForeignGivenMap(int) *ForeignGivenMap {
	l := &ForeignGivenMap{m: map[int]int{1: 2}, n: map[int]int{3: 4}}
	sort.Sort(values{l.m})
	return l
}

type values []map[int]int

func (v values) Len() int           { return len(v) }
func (v values) Less(i, j int) bool { return len(v[i]) < len(v[j]) }
func (v values) Swap(i, j int)      { v[i], v[j] = v[j], v[i] }

// Lock makes these accesses:
//
//	n = map, x := 4, m = map
func (l *ForeignGivenMap) Lock(int) {
	l.x = l.n[3]
	l.x = l.m[1] // refused: reads a map that is not fully known
}

func (l *ForeignGivenMap) Unlock(int) {}
