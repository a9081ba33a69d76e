package stress

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"
)

// A phase of so long is enough, also if a lock or a machine is so slow that not
// all passages are made.
const (
	phaseLimit     = 50 * time.Millisecond
	longLimit      = 300 * time.Millisecond
	unfairLimit    = 800 * time.Millisecond
	contendedLimit = time.Second // a busy machine runs two processes at once only now and then
)

func (ph phase) limit() time.Duration {
	switch {
	case ph.world == unfair:
		return unfairLimit
	case ph.passages >= longPassages:
		return longLimit
	case ph.goal > 0 && runtime.NumCPU() > 1:
		return contendedLimit
	}
	return phaseLimit
}

// watch returns when all active processes rest, or when they do not come back.
// Meanwhile it looks at them at random moments: to look, it stops the world,
// which also interrupts them at whatever instruction they are.
func (r *runner) watch(ctx context.Context, ph phase) {
	guard := newGuard(r, ph.active)
	tick := time.NewTicker(guard.Interval())
	defer tick.Stop()
	look := time.NewTimer(interval())
	defer look.Stop()
	limit := time.NewTimer(ph.limit())
	defer limit.Stop()
	if ph.world == interrupted {
		defer r.interrupt(ph.active)()
	}
	var judge <-chan time.Time
	if ph.world == unfair {
		often := time.NewTicker(judgeInterval)
		defer often.Stop()
		judge = often.C
	}
	starvation := newStarvation(r, ph.active)
	done := ctx.Done()
	for _, id := range ph.active {
		for rests := false; !rests; {
			select {
			case <-r.procs[id].rests:
				rests = true
			case <-look.C:
				r.markWaiting(ph.active)
				look.Reset(interval())
			case <-limit.C:
				r.enough.Store(true)
				if ph.world == unfair {
					r.undecided = r.strides
				}
			case <-judge:
				if starvation.judge() {
					r.enough.Store(true)
				}
			case <-done:
				done = nil
				r.stop.Store(true)
			case <-tick.C:
				if guard.giveUp() {
					r.stop.Store(true)
					r.stuck = true
					return
				}
			}
		}
	}
}

// interval is the time from one look to the next.
func interval() time.Duration { return time.Duration(50+rand.IntN(1500)) * time.Microsecond }

// interrupt keeps one processor to itself, from which it stops all others every few
// microseconds, until the function that it returns is called. A process that has been
// stopped goes to the end of the queue for the other processor.
func (r *runner) interrupt(active []int) (end func()) {
	var over atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var stats runtime.MemStats
		for !over.Load() {
			for range rand.IntN(20_000) {
				nothing()
			}
			if rand.IntN(16) == 0 {
				r.markWaiting(active)
			} else {
				runtime.ReadMemStats(&stats)
			}
		}
	}()
	return func() {
		over.Store(true)
		<-ended
	}
}
