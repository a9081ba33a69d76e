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

// Sorted is a quotient whose actors tell the kinds of their steps in the system itself: actor a of the quotient makes its steps of
// kind k as actor k*Every + a.
type Sorted struct {
	*Quotient
	Every int // how many actors the quotient has
}

// Sorted returns the quotient sorted. It returns false if that has too many actors.
func (q *Quotient) Sorted() (*Sorted, bool) {
	return &Sorted{q, q.Actors()}, stepKinds*q.Actors() <= 64
}

// Actors returns how many actors there are, with one for each kind.
func (k *Sorted) Actors() int { return stepKinds * k.Every }

// Expand makes the steps that are not left out.
func (k *Sorted) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	steps, bad := k.steps.Expand(s, out)
	for ; steps != 0; steps &= steps - 1 {
		from := bits.TrailingZeros64(steps)
		step := out[from*k.words:][:k.words]
		actor := k.kind(s, from, step)*k.Every + from
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
func (k *Sorted) kind(from []uint64, actor int, to []uint64) int {
	pid := actor % k.Model.N
	switch {
	case slices.Equal(from, to):
		return Stays
	case k.Local(from, pid).Section != interp.Critical && k.Local(to, pid).Section == interp.Critical:
		return Enters
	}
	return Changes
}

// Renamed calls each for some actors of the quotient, with what the processes of a state are called after their steps. It uses
// out, which has room for the states that Every actors lead to. It returns the actors that have a step, left out or not.
func (k *Sorted) Renamed(s, out []uint64, some uint64, each func(actor int, by []int32)) (enabled uint64) {
	enabled, _ = k.SC.Expand(s, out)
	for some &= enabled; some != 0; some &= some - 1 {
		actor := bits.TrailingZeros64(some)
		each(actor, k.group[k.reduce(out[actor*k.words:][:k.words])].Procs)
	}
	return enabled
}
