package constructs

import "strings"

// ForeignDecides lets a result decide of a function that is not read.
type ForeignDecides struct {
	b bool
	x int
}

func NewForeignDecides(int) *ForeignDecides { return &ForeignDecides{b: strings.Contains("ab", "b")} }

// Lock makes these accesses:
//
//	x := 1, b = unknown
func (l *ForeignDecides) Lock(int) {
	l.x = 1
	if l.b { // refused: depends on the result of strings.Contains, which cannot be modeled
		l.x = 2
	}
}

func (l *ForeignDecides) Unlock(int) {}
