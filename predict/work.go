package predict

// work has a process work for a time, longer while its siblings are busy.
func (e *Engine) work(p *proc, t Time) {
	p.state = working
	p.left, p.since, p.rate = t, e.now, 0
	e.cores[p.core].working++
	e.rates(p.core)
}

// worked ends the work of a process.
func (e *Engine) worked(p *proc) {
	p.workGen++
	e.cores[p.core].working--
	e.complete(p, 0, -e.m.gap)
	if e.cores[p.core].working > 0 {
		e.rates(p.core)
	}
}

// rates works out how fast the processes of a core work from now on.
func (e *Engine) rates(c int32) {
	co := &e.cores[c]
	polling := 0
	for _, p := range co.procs {
		if p.state == asleep {
			polling++
		}
	}
	rate := Time(1000)
	if polling > 0 {
		rate = e.m.siblingPoll
	}
	if co.working > 1 {
		rate = e.m.siblingWork
	}
	for _, p := range co.procs {
		if p.state != working || p.rate == rate {
			continue
		}
		if p.rate > 0 {
			p.left = max(0, p.left-(e.now-p.since)*1000/p.rate)
		}
		p.since, p.rate = e.now, rate
		p.workGen++
		e.push(e.now+p.left*rate/1000, evWork, p.id, p.workGen)
	}
}
