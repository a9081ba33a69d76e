package explore

import (
	"math/bits"
	"slices"

	"shmbench/check/internal/interp"
)

// The kinds of steps that Sorted tells apart.
const (
	Changes = iota // it changes the state
	Enters         // it begins a critical section
	Stays          // it leaves the state as it is
	stepKinds
)

// sorted is a quotient whose actors tell the kinds of their steps in the system itself.
type sorted struct{ *Quotient }

// Sorted returns the quotient with an actor for each actor and kind of step: actor a makes its steps of kind k as actor
// k*q.Actors() + a. It returns false if these are too many actors.
func (q *Quotient) Sorted() (System, bool) { return sorted{q}, stepKinds*q.Actors() <= 64 }

func (k sorted) Actors() int { return stepKinds * k.Quotient.Actors() }

func (k sorted) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	steps, bad := k.SC.Expand(s, out)
	for ; steps != 0; steps &= steps - 1 {
		from := bits.TrailingZeros64(steps)
		step := out[from*k.words:][:k.words]
		actor := k.kind(s, from, step)*k.Quotient.Actors() + from
		to := out[actor*k.words:][:k.words]
		copy(to, step)
		if !slices.Equal(s, to) {
			k.reduce(to)
		}
		enabled |= 1 << actor
	}
	return enabled, bad
}

// kind returns the kind of a step.
func (k sorted) kind(from []uint64, actor int, to []uint64) int {
	pid := actor % k.Model.N
	switch {
	case slices.Equal(from, to):
		return Stays
	case k.Local(from, pid).Section != interp.Critical && k.Local(to, pid).Section == interp.Critical:
		return Enters
	}
	return Changes
}
