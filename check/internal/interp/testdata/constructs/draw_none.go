package constructs

import "math/rand/v2"

// DrawNone draws one of no numbers.
type DrawNone struct{ n int }

func NewDrawNone(int) *DrawNone { return &DrawNone{n: 1} }

// Lock makes these accesses:
//
//	n = 1, n = 1
func (l *DrawNone) Lock(int) {
	for range rand.IntN(l.n) {
	}
	for range rand.IntN(l.n - 1) { // fails: calls math/rand/v2.IntN with 0
	}
}

func (l *DrawNone) Unlock(int) {}
