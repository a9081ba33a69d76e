package constructs

import "math/rand/v2"

// DrawDecides lets an unknown number decide.
type DrawDecides struct{ x int }

func NewDrawDecides(int) *DrawDecides { return &DrawDecides{} }

func (l *DrawDecides) Lock(int) {
	if rand.Uint32() > 5 { // refused: uses the result of math/rand/v2.Uint32, which cannot be modeled
		l.x = 1
	}
}

func (l *DrawDecides) Unlock(int) {}
