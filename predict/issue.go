package predict

// issue begins the access that a process is at.
func (e *Engine) issue(p *proc) {
	p.state = ready
	a := &p.acc
	switch a.Op {
	case Mark:
		if e.Marked != nil {
			e.Marked(int(p.id), a.Arg, e.now)
		}
		e.complete(p, 0, -e.m.gap)
	case End:
		p.state = ended
		e.running--
	case Work:
		e.work(p, a.Time)
	case Idle:
		e.push(e.now+a.Time+Time(a.Arg)*e.m.pause, evNext, p.id, 0)
	case Pause: // behind another pause, or the first step of a process
		e.push(e.now+e.m.pause, evNext, p.id, 0)
	case Load:
		e.Accesses++
		e.load(p)
	case StoreRelease:
		if len(p.buffer) == bufferSize {
			p.state = full
			return
		}
		e.Accesses++
		p.buffer = append(p.buffer, *a)
		if len(p.buffer) == 1 {
			e.drain(p)
		}
		e.complete(p, 0, 0)
	default:
		if len(p.buffer) > 0 && e.fault != rmwOvertakes {
			p.state = fenced
			return
		}
		e.Accesses++
		p.state = waiting
		e.want(p, a.Word, true)
	}
}

func (e *Engine) load(p *proc) {
	a := &p.acc
	p.loop.again(a.Word)
	for i := len(p.buffer) - 1; i >= 0; i-- {
		if b := &p.buffer[i]; b.Word == a.Word {
			if b.Do != nil { // the process has the value itself
				e.complete(p, 0, e.m.hit)
				return
			}
			if b.New != 0 { // the value is not here
				p.state = fenced
				e.Accesses--
				return
			}
			e.complete(p, b.Arg, e.m.hit)
			return
		}
	}
	w := &e.words[a.Word]
	l := e.lines[w.line]
	if !e.has(l, int(p.core)) {
		p.state = waiting
		p.loop.restart()
		e.want(p, a.Word, false)
		return
	}
	if p.loop.load(a.Word, l.version, e.now) && e.unchanged(p) {
		e.sleep(p)
		return
	}
	e.complete(p, w.value, e.m.hit)
}

// loaded ends a load that has waited for its line. The load belongs to the turn of a
// process that polls.
func (e *Engine) loaded(p *proc) {
	w := &e.words[p.acc.Word]
	p.loop.load(p.acc.Word, e.lines[w.line].version, e.now)
	e.complete(p, w.value, e.m.hit)
}

// has reports whether a core has a copy of a line.
func (e *Engine) has(l *line, core int) bool {
	return int(l.owner) == core && !l.inFlight || l.sharers.has(core)
}

// complete ends the access of a process, which got a value, and has it issue
// the next one after a delay and the gap. A pause touches no memory, so the process goes on to the step behind it. It
// does so once: code that pauses until a variable of its own changes must let the others run.
func (e *Engine) complete(p *proc, got uint64, delay Time) {
	p.state = ready
	at := e.now + delay
	p.loop.paused = p.acc.Op == Pause
	for ahead := false; ; ahead = true {
		p.acc = p.code.Next(got)
		if p.loop.woken && !p.loop.stays(&p.acc) {
			p.loop.woken = false
			at += e.m.spinExit
		}
		at += e.m.gap
		if p.acc.Op != Pause || ahead {
			break
		}
		at, got, p.loop.paused = at+e.m.pause, 0, true
	}
	if p.acc.Op != Load && p.acc.Op != Pause {
		p.loop.restart()
		p.loop.alarms, p.loop.last = 0, -1
	}
	e.push(at, evIssue, p.id, 0)
}

// drain sends the first posted store of a process on its way.
func (e *Engine) drain(p *proc) {
	p.draining = true
	e.want(p, p.buffer[0].Word, true)
}
