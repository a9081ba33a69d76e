package constructs

import "math/rand/v2"

// DrawNegative draws one of less than no numbers.
type DrawNegative struct{ n int }

func NewDrawNegative(int) *DrawNegative { return &DrawNegative{n: 1} }

// Lock makes these accesses:
//
//	n = 1, n = 1, n = 1
func (l *DrawNegative) Lock(int) {
	_ = rand.UintN(uint(l.n))
	_ = rand.UintN(uint(l.n) << 63)
	_ = rand.IntN(-l.n) // fails: calls math/rand/v2.IntN with -1
}

func (l *DrawNegative) Unlock(int) {}
