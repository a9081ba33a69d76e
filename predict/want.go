package predict

// want has a process, or its first posted store, wait for a line.
func (e *Engine) want(p *proc, word int32, write bool) {
	id := e.words[word].line
	l := e.lines[id]
	if l.owner == p.core {
		if !l.inFlight && !l.running {
			e.tenure(id)
		}
		return
	}
	if !write && l.fetching.has(int(p.core)) {
		return
	}
	if l.queued.has(int(p.core)) {
		for i := range l.queue {
			if r := &l.queue[i]; r.core == p.core && write && !r.write {
				r.write, r.proc, r.word = true, p.id, word
			}
		}
		return
	}
	l.queued.add(int(p.core))
	r := request{p.core, p.id, word, write, e.now + e.way(l, p.core, write)}
	i := len(l.queue)
	l.queue = append(l.queue, r)
	first := 0
	if l.chosen {
		first = 1
	}
	for ; i > first && l.queue[i-1].from > r.from; i-- {
		l.queue[i] = l.queue[i-1]
	}
	l.queue[i] = r
	if at := max(l.queue[0].from, l.free); !l.inFlight && !l.running && !l.chosen && (l.serveAt < 0 || i == 0 && at < l.serveAt) {
		e.serveFrom(id, at)
	}
}

// way is how long a request of a core is on its way to a line: as long as the line will
// be on its way back, or as the machine says. A read that its group serves goes no further.
func (e *Engine) way(l *line, core int32, write bool) Time {
	at := l.owner
	if at < 0 {
		at = l.last
	}
	switch {
	case e.m.request > 0:
		return e.m.request
	case at < 0 || at == core, !write && l.groups != nil && l.groups[e.m.group[core]].valid:
		return e.m.transfer[e.m.coreLevel]
	}
	return e.m.transfer[e.m.distance(at, core)]
}

func (e *Engine) serveFrom(id int32, at Time) {
	e.lines[id].serveAt = at
	e.push(at, evServe, id, 0)
}
