package bench

// touch is a critical section that does not check. It writes one word. A process need not own the
// line of that word when it goes on to the exit section.
func (t *trial) touch(p *process) {
	t.section.touched = uint64(p.pid)
	if t.inside {
		p.sink = t.criticalWork(p.sink)
	}
}

// touching replaces closed with Workload.Touch. The first passage that sees the ordering
// window is numbered and checked, as all later ones are. Every passage is noted in memory
// that the guard reads, because no counter of the critical section moves.
func (p *process) touching(t *trial, phase uint32) uint32 {
	lock, section, pid, ncs, current := t.lock, t.section, p.pid, t.ncs, &t.phase
	for n := p.passages[phase]; ; {
		lock.Lock(pid)
		now := current.Load()
		if now < ordering {
			t.touch(p)
		} else {
			now = t.turn(p, phase, section.enter())
			if t.inside {
				p.sink = t.criticalWork(p.sink)
			}
			section.leave()
		}
		lock.Unlock(pid)
		if ncs > 0 {
			p.sink = work(ncs, p.sink)
		}
		if now != phase {
			p.passages[now]++
			return now
		}
		n++
		p.passages[phase] = n
		if n == fewPassages {
			t.enough[phase].Add(1)
		}
	}
}
