package bench

import (
	"shmbench/internal/machine/clock"
	"shmbench/shm"
)

// look is the critical section of a reader, which writes nothing. do is its work.
// look reports whether it met a writer.
func (s *section) look(do func()) (met bool) {
	before, after := s.before, s.after
	do()
	return before != after || s.before != before || s.after != before
}

// sharing makes passages until the sample is over; a share of them only reads. It
// replaces closed and detailed. Readers cannot write to the section. So each process
// counts its own passages, in the phase that it reads in the critical section.
func (p *process) sharing(t *trial) {
	reading := shm.Exclusive // in a lock that is for writers only
	if _, ok := t.lock.(shm.RWMutex); ok {
		reading = shm.Shared
	}
	// A passage reads if its random number is below the limit.
	limit := uint64(t.workload.Readers * (1 << 53))
	lookAround := func() {
		if t.inside {
			p.sink = t.readingWork(p.sink)
		}
	}
	for phase := warmingUp; phase != over; {
		reads := p.rand.Uint64()>>11 < limit
		mode := shm.Exclusive
		if reads {
			mode = reading
		}
		var w wait
		if phase == timing {
			w.called = clock.Now()
		}
		mode.Enter(t.lock, p.pid, nil)
		if phase == timing {
			w.entered = clock.Now()
		}
		now := t.phase.Load()
		if reads {
			if t.section.look(lookAround) {
				p.met++
			}
			p.looked++
		} else {
			t.section.enter()
			if t.inside {
				p.sink = t.criticalWork(p.sink)
			}
			t.section.leave()
		}
		mode.Leave(t.lock, p.pid)
		if phase == timing {
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

// readingWork is the criticalWork of a reader: it reads the lines that criticalWork writes.
func (t *trial) readingWork(x uint64) uint64 {
	for i := range t.section.lines {
		x += t.section.lines[i].value
	}
	return work(t.cs, x)
}
