package bench

import "math/rand/v2"

// arrivals says when the passages of one process are due in an open loop: at
// exponentially distributed intervals, whether or not the last passage is over.
type arrivals struct {
	gap  float64 // mean, in ns
	rand *rand.Rand
	due  int64
}

func newArrivals(rate float64, random *rand.Rand) arrivals {
	return arrivals{gap: 1e9 / rate, rand: random}
}

// serve makes passages when they are due, until over returns true. A process that
// is late catches up without a pause, and its passages count from when they were
// due. So a slow lock does not slow the arrivals down and hide its own delays
// (coordinated omission). The process polls, because a sleep would end too late.
func (a *arrivals) serve(now func() int64, idle func(), over func() bool, passage func(due int64)) {
	for !over() {
		if now() < a.due {
			idle()
			continue
		}
		passage(a.due)
		a.due += int64(a.gap * a.rand.ExpFloat64())
	}
}
