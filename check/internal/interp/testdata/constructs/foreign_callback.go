package constructs

import "sort"

// ForeignCallback uses what a function that is not read may have changed by calling back.
type ForeignCallback struct {
	n int
	x int
}

func NewForeignCallback(int) *ForeignCallback {
	sort.Search(3, func(i int) bool { return i > 1 })
	kept := called
	sort.Search(3, func(i int) bool { called++; return i > 1 })
	return &ForeignCallback{n: kept}
}

var called = 3

// Lock makes these accesses:
//
//	n = 3, x := 3, cell = unknown, x = 3
func (l *ForeignCallback) Lock(int) {
	l.x = l.n
	l.x += called // refused: uses memory that sort.Search was given, which cannot be modeled
}

func (l *ForeignCallback) Unlock(int) {}
