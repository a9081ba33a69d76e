package stress

import (
	"context"
	"math/rand/v2"
	"time"
)

// watch returns when all active processes rest, or when they do not come back.
// Meanwhile it looks at them at random moments: to look, it stops the world,
// which also shakes them at whatever instruction they are.
func (r *runner) watch(ctx context.Context, ph phase) {
	guard := newGuard(r, ph.active)
	tick := time.NewTicker(guard.Interval())
	defer tick.Stop()
	look := time.NewTimer(interval())
	defer look.Stop()
	done := ctx.Done()
	for _, id := range ph.active {
		for rests := false; !rests; {
			select {
			case <-r.procs[id].rests:
				rests = true
			case <-look.C:
				r.markWaiting(ph.active)
				look.Reset(interval())
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
