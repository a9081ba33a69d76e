package bench

// touching replaces closed with Workload.Touch. A critical section writes one word. A process
// need not own the line of that word when it goes on to the exit section. The first passage
// that sees the ordering window is numbered and checked, as all later passages are. Each
// passage is noted in memory that the guard reads, because no word of the section moves.
func (p *process) touching(t *trial, phase uint32) uint32 {
	lock, section, pid, current, made := t.lock, t.section, p.pid, &t.phase, &p.passages[phase]
	for n := *made; ; *made = n {
		lock.Lock(pid)
		if now := current.Load(); now != phase {
			if now >= ordering {
				return p.turned(t, phase, section.enter())
			}
			section.touched = uint64(pid)
			lock.Unlock(pid)
			p.passages[now]++
			return now
		}
		section.touched = uint64(pid)
		lock.Unlock(pid)
		n++
	}
}
