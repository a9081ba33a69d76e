package bench

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/clock"
)

// transferOver is the operation of moving a cache line between the first two
// processors of a pinning, and which these are: two threads answer each other
// through one word, pinned where the platform allows it. One transfer is one
// answer, half a round trip: the writer's store takes the line from the reader,
// and the reader's load fetches it back, as when a lock is handed over.
func transferOver(pin Pinning) (op operation, pair string) {
	places, err := affinity.Places(pin.Order())
	var cpus []int
	name, pair := Transfer, "whichever the operating system chose"
	if len(places) >= 2 {
		cpus = []int{places[0].CPU, places[1].CPU}
		pair = affinity.Between(places[0], places[1])
		if affinity.SameCore(places[0], places[1]) {
			name = TransferThreads
		}
	}
	return operation{name, func(n int, ns []int64) bool {
		if min(runtime.GOMAXPROCS(0), runtime.NumCPU()) < 2 || err == nil && cpus == nil {
			return false
		}
		for range transferAttempts {
			if done, _ := exchange(n, ns, cpus); done == len(ns) && steady(ns) {
				return true
			}
		}
		return false
	}}, pair
}

// TransferPair says between which two processors transferTime measures.
func TransferPair(pin Pinning) string {
	_, pair := transferOver(pin)
	return pair
}

// A transfer is measured on a quiet pair of processors only. Where something
// else occupies one of the two, the time of an answer is the time for which a
// thread did not run.
const (
	// transferAttempts is how often the pair may turn out not to be quiet.
	transferAttempts = 3
	// transferLimit is how long all trials of an attempt may take. The slowest
	// pairs, of two sockets, take a fifth of it for the trials of Machine.
	transferLimit = 20 * time.Millisecond
	// transferSpread is how many times the lower quartile of the trials the upper
	// quartile may be.
	transferSpread = 1.5
)

// steady reports whether the middle half of the trials took about the same time.
func steady(ns []int64) bool {
	sorted := slices.Sorted(slices.Values(ns))
	quarter := len(sorted) / 4
	return float64(sorted[len(sorted)-1-quarter]) <= transferSpread*float64(sorted[quarter])
}

// exchange times trials of n transfers each between two processors of cpus, or
// any two if there are none, until all elements of ns are set or transferLimit
// is over. It returns how many it set, and how many answers the two sides gave.
func exchange(n int, ns []int64, cpus []int) (done, answers int) {
	ball := newRegister[atomic.Uint32]()
	deadline := clock.Now() + int64(transferLimit)
	var given [2]int
	player := func(side uint32) {
		if cpus != nil {
			if unpin, err := affinity.Pin(cpus[side]); err == nil {
				defer unpin()
			}
		}
		// The first round trip only brings the two together.
		if rally(ball, side, 1, deadline) < 1 {
			return
		}
		if side == 1 {
			given[side] = rally(ball, side, forever, deadline)
			return
		}
		for ; done < len(ns); done++ {
			start := clock.Now()
			rounds := rally(ball, side, n/2, deadline)
			given[side] += rounds
			if rounds < n/2 {
				return
			}
			ns[done] = clock.Now() - start
		}
		rally(ball, side, 1, deadline)
		ball.Store(ended)
	}
	end := make(chan struct{})
	for side := range uint32(2) {
		go func() {
			player(side)
			end <- struct{}{}
		}()
	}
	<-end
	<-end
	return done, given[0] + given[1]
}

const (
	// ended is the ball after the last trial.
	ended = 2
	// forever is more rounds than there is time for.
	forever = int(^uint(0) >> 1)
	// pollsPerLook is how many polls there are to one look at the clock: few
	// enough to notice the deadline, and more than an answer takes.
	pollsPerLook = 1 << 12
)

// rally waits for the ball and returns it, rounds times, or until the ball is
// ended or the deadline has passed. It returns how often it did.
func rally(ball *atomic.Uint32, side uint32, rounds int, deadline int64) int {
	for done := range rounds {
		polls := 0
		for b := ball.Load(); b != side; b = ball.Load() {
			if b == ended {
				return done
			}
			if polls++; polls%pollsPerLook == 0 && clock.Now() > deadline {
				return done
			}
		}
		ball.Store(1 - side)
	}
	return rounds
}
