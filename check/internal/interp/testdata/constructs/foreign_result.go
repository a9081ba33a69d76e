package constructs

import "strconv"

// ForeignResult uses the result of a function that is not read.
type ForeignResult struct {
	s    string
	n, m int
	x    int
}

func NewForeignResult(int) *ForeignResult {
	n, err := strconv.Atoi("7")
	if false {
		println(err.Error(), n)
	}
	return &ForeignResult{s: strconv.Itoa(3), n: n, m: 4}
}

// Lock makes these accesses:
//
//	m = 4, x := 4, n = unknown, x = 4
func (l *ForeignResult) Lock(int) {
	l.x = l.m
	l.x += l.n // refused: uses the result of strconv.Atoi, which cannot be modeled
}

func (l *ForeignResult) Unlock(int) {}
