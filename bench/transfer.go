package bench

import (
	"runtime"
	"sync/atomic"
	"time"

	"shmbench/internal/affinity"
	"shmbench/internal/clock"
)

// transfer moves a cache line n times between two processors, and that once
// for each element of ns: two threads answer each other through one word,
// pinned where the platform allows it. One transfer is one answer, half a
// round trip: the writer's store takes the line from the reader, and the
// reader's load fetches it back, as when a lock is handed over.
//
// Where something else occupies a processor, the two wait for one another for
// long; so there are no more trials once transferLimit has passed.
func transfer(n int, ns []int64) (done int) {
	if runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 {
		return 0
	}
	cpus, err := affinity.CPUs()
	pinned := err == nil && len(cpus) >= 2
	if err == nil && !pinned {
		return 0
	}

	ball := register[atomic.Uint32]()
	player := func(side uint32) {
		if pinned {
			if unpin, err := affinity.Pin(cpus[side]); err == nil {
				defer unpin()
			}
		}
		// The first round trip only brings the two together.
		rally(ball, side, 1)
		if side == 1 {
			for rally(ball, side, n/2) {
			}
			return
		}
		for begun := clock.Now(); done < len(ns) && clock.Now()-begun < int64(transferLimit); done++ {
			start := clock.Now()
			rally(ball, side, n/2)
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
	return done
}

const transferLimit = 20 * time.Millisecond

// ended is the ball after the last trial.
const ended = 2

// rally waits for the ball and returns it, rounds times, or returns false when
// there are no more.
func rally(ball *atomic.Uint32, side uint32, rounds int) bool {
	for range rounds {
		for b := ball.Load(); b != side; b = ball.Load() {
			if b == ended {
				return false
			}
		}
		ball.Store(1 - side)
	}
	return true
}
