package bench

import (
	"runtime"
	"sync/atomic"

	"shmbench/internal/affinity"
	"shmbench/internal/clock"
)

// transfer moves a cache line n times between two processors, and that once
// for each element of ns: two threads answer each other through one word,
// pinned where the platform allows it. One transfer is one answer, half a
// round trip: the writer's store takes the line from the reader, and the
// reader's load fetches it back, as when a lock is handed over.
func transfer(n int, ns []int64) bool {
	if runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 {
		return false
	}
	cpus, err := affinity.CPUs()
	pinned := err == nil && len(cpus) >= 2
	if err == nil && !pinned {
		return false
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
		for i := range ns {
			start := clock.Now()
			rally(ball, side, n/2)
			if side == 0 {
				ns[i] = clock.Now() - start
			}
		}
	}
	done := make(chan struct{})
	for side := range uint32(2) {
		go func() {
			player(side)
			done <- struct{}{}
		}()
	}
	<-done
	<-done
	return true
}

// rally waits for the ball and returns it, rounds times.
func rally(ball *atomic.Uint32, side uint32, rounds int) {
	for range rounds {
		for ball.Load() != side {
		}
		ball.Store(1 - side)
	}
}
