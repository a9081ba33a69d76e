package bench

import (
	"runtime"

	"shmbench/internal/clock"
)

// open makes passages when they are due, until the phase is over. A process
// that is late catches up without a pause, and its passages count from when
// they were due: a slow lock does not slow the arrivals down and so hide its
// own delays (coordinated omission).
func (p *process) open(t *trial, phase uint32) uint64 {
	gap := 1e9 / t.workload.Rate
	var n uint64
	for ; p.await(t, phase); n++ {
		if phase == detailing {
			p.timed(t, p.rand.IntN(stampEvery) == 0)
		} else {
			t.lock.Lock(p.pid)
			passage := t.section.enter()
			if t.cs > 0 {
				p.sink = work(t.cs, p.sink)
			}
			if passage == t.section.last {
				t.closeWindow()
			}
			t.section.leave()
			t.lock.Unlock(p.pid)
		}
		p.due += int64(gap * p.rand.ExpFloat64())
	}
	return n
}

// await returns true when the next passage is due and false if the phase is
// over first. It polls, as a sleep would come back late.
func (p *process) await(t *trial, phase uint32) bool {
	for t.phase.Load() == phase {
		if clock.Now() >= p.due {
			return true
		}
		runtime.Gosched()
	}
	return false
}
