package explore

import (
	"math/bits"
	"slices"

	"shmbench/check/internal/interp"
)

// changes is a quotient without the steps that change nothing. The step by which process a begins a critical
// section is that of actor Actors()/2 + a.
type changes struct{ *Quotient }

// Changes returns the quotient without the steps that leave a state of the system itself as it is. Its
// first actors are the processes, and the others the same processes where they begin a critical section.
func (q *Quotient) Changes() System { return changes{q} }

func (c changes) Actors() int { return 2 * c.Quotient.Actors() }

func (c changes) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	steps, bad := c.SC.Expand(s, out)
	for ; steps != 0; steps &= steps - 1 {
		a := bits.TrailingZeros64(steps)
		to := out[a*c.words:][:c.words]
		if slices.Equal(s, to) {
			continue
		}
		if c.Local(s, a).Section != interp.Critical && c.Local(to, a).Section == interp.Critical {
			a += c.Quotient.Actors()
			copy(out[a*c.words:], to)
			to = out[a*c.words:][:c.words]
		}
		c.reduce(to)
		enabled |= 1 << a
	}
	return enabled, bad
}
