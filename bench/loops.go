package bench

// closed makes passages without work until one sees another phase or fills the quota. It
// returns the phase of that passage. This is the loop that is measured: it has the lock, the
// self-checking critical section, and a look at the phase. Everything else is in turned and
// in working, because each further test or branch of this loop takes one cycle a passage.
func (p *process) closed(t *trial, phase uint32) uint32 {
	lock, section, pid, current := t.lock, t.section, p.pid, &t.phase
	for n := p.passages[phase]; ; n++ {
		lock.Lock(pid)
		passage := section.enter()
		if current.Load() != phase || passage >= section.last {
			p.passages[phase] = n
			return p.turned(t, phase, passage)
		}
		section.leave()
		lock.Unlock(pid)
	}
}

// turned completes a passage of closed or touching that turns to another phase or fills the
// quota, and returns its phase.
func (p *process) turned(t *trial, phase uint32, passage uint64) (now uint32) {
	now = t.turn(p, phase, passage)
	t.section.leave()
	t.lock.Unlock(p.pid)
	p.passages[now]++
	return now
}

// works reports whether there is work in or between critical sections.
func (t *trial) works() bool { return t.inside || t.ncs > 0 }

// working makes passages until one sees another phase, and returns that phase. It is the
// measured loop where there is work. Where there is none, it makes the first few passages of
// a phase, and returns the same phase when the process has made enough.
func (p *process) working(t *trial, phase uint32) uint32 {
	lock, section, pid, works := t.lock, t.section, p.pid, t.works()
	for {
		lock.Lock(pid)
		now := t.phase.Load()
		touches := t.workload.Touch && now < ordering
		if touches {
			section.touched = uint64(pid)
		} else if passage := section.enter(); now != phase || passage >= section.last {
			now = t.turn(p, phase, passage)
		}
		if t.inside {
			p.sink = t.criticalWork(p.sink)
		}
		if !touches {
			section.leave()
		}
		lock.Unlock(pid)
		if t.ncs > 0 {
			p.sink = work(t.ncs, p.sink)
		}
		p.passages[now]++
		if now != phase {
			return now
		}
		if p.passages[phase] == fewPassages {
			t.enough[phase].Add(1)
			if !works {
				return phase
			}
		}
	}
}
