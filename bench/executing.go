package bench

import (
	"shmbench/internal/machine/clock"
	"shmbench/shm"
)

// executes reports whether Execute makes the passages. It does if the workload says so,
// and if the lock is made of a delegate, whose Lock and Unlock are only for the checker.
func (t *trial) executes() bool {
	_, delegating := t.lock.(shm.Delegating)
	return t.workload.Execute || delegating
}

// executing makes passages by Execute until the sample is over. Execute belongs to the
// delegate that the lock is made of, or to the adapter, which calls Lock and Unlock.
// executing replaces closed and detailed. The critical section and its check are the same.
func (p *process) executing(t *trial) {
	delegate, s := shm.Delegated(t.lock), t.section
	phase, now := warmingUp, warmingUp
	touches := t.workload.Touch
	var w wait
	// Any process may run section. Until Execute returns, p does not use these variables.
	section := func() uint64 {
		if phase == timing {
			w.entered = clock.Now()
		}
		if now = t.phase.Load(); touches && now < ordering {
			s.touched = uint64(p.pid)
			if t.inside {
				p.sink = t.criticalWork(p.sink)
			}
			return 0
		}
		passage := s.enter()
		if now != phase || passage >= s.last {
			now = t.turn(p, phase, passage)
		}
		w.passage = passage
		switch {
		case now != phase: // turn has done the rest
		case now == ordering:
			s.log(p.pid)
		case now == timing:
			s.begun.Store(passage + 1)
		}
		if t.inside {
			p.sink = t.criticalWork(p.sink)
		}
		s.leave()
		return passage
	}
	for phase != over {
		timed := phase == timing
		if timed {
			w = wait{before: s.begun.Load(), called: clock.Now()}
		}
		delegate.Execute(p.pid, section)
		if timed {
			p.waits.add(w, 0, t.windowEnd(now))
		}
		if p.passages[now]++; p.passages[now] == fewPassages {
			t.enough[now].Add(1)
		}
		phase = now
		if t.ncs > 0 {
			p.sink = work(t.ncs, p.sink)
		}
	}
}
