package bench

import (
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/affinity"
	"shmbench/internal/clock"
)

// transferOver is the operation of moving a cache line between the first two
// processors of a pinning, and which these are: two threads answer each other
// through one word, pinned where the platform allows it. One transfer is one
// answer, half a round trip: the writer's store takes the line from the reader,
// and the reader's load fetches it back, as when a lock is handed over.
func transferOver(pin Pinning) (op operation, pair string) {
	places, err := affinity.Places(pin.order())
	var cpus []int
	name, pair := Transfer, "whichever the operating system chose"
	if len(places) >= 2 {
		cpus = []int{places[0].CPU, places[1].CPU}
		pair = affinity.Between(places[0], places[1])
		if affinity.SameCore(places[0], places[1]) {
			name = TransferThreads
		}
	}
	return operation{name, func(n int, ns []int64) int {
		if min(runtime.GOMAXPROCS(0), runtime.NumCPU()) < 2 || err == nil && cpus == nil {
			return 0
		}
		done, _ := exchange(n, ns, cpus)
		return done
	}}, pair
}

// TransferPair says between which two processors TransferTime measures.
func TransferPair(pin Pinning) string {
	_, pair := transferOver(pin)
	return pair
}

// transferLimit is after how long there are no more trials: where something else
// occupies a processor, the two wait for one another for long.
const transferLimit = 20 * time.Millisecond

// exchange is transfer between two processors of cpus, or any two if there are
// none. It also returns how many answers the two gave in the trials.
func exchange(n int, ns []int64, cpus []int) (done, answers int) {
	ball := newRegister[atomic.Uint32]()
	var given [2]int
	player := func(side uint32) {
		if cpus != nil {
			if unpin, err := affinity.Pin(cpus[side]); err == nil {
				defer unpin()
			}
		}
		// The first round trip only brings the two together.
		rally(ball, side, 1)
		if side == 1 {
			for {
				rounds := rally(ball, side, n/2)
				given[side] += rounds
				if rounds < n/2 {
					return
				}
			}
		}
		for begun := clock.Now(); done < len(ns) && clock.Now()-begun < int64(transferLimit); done++ {
			start := clock.Now()
			given[side] += rally(ball, side, n/2)
			ns[done] = clock.Now() - start
		}
		for ball.Load() != side {
		}
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

// ended is the ball after the last trial.
const ended = 2

// rally waits for the ball and returns it, rounds times or until there are no
// more, and returns how often it did.
func rally(ball *atomic.Uint32, side uint32, rounds int) int {
	for done := range rounds {
		for b := ball.Load(); b != side; b = ball.Load() {
			if b == ended {
				return done
			}
		}
		ball.Store(1 - side)
	}
	return rounds
}
