package predict

// tenure goes on with what the owner of a line has to do with it: the loads,
// then one operation after another, in random order. When nothing is left the next core is served.
func (e *Engine) tenure(id int32) {
	l := e.lines[id]
	c := &e.cores[l.owner]
	var found *proc
	drain := false
	n := int64(0)
	for _, p := range c.procs {
		if p.state == waiting && e.words[p.acc.Word].line == id {
			if p.acc.Op == Load {
				e.loaded(p)
			} else if n++; n == 1 || e.random(n) == 0 {
				found, drain = p, false
			}
		}
		if p.draining && e.words[p.buffer[0].Word].line == id {
			if n++; n == 1 || l.quota <= 0 || e.random(n) == 0 {
				found, drain = p, true
			}
		}
	}
	if found == nil || l.quota <= 0 && len(l.queue) > 0 && l.queue[0].from <= e.now && !(drain && e.chance(e.m.ownStore)) {
		if len(l.queue) > 0 && l.serveAt < 0 {
			e.serveFrom(id, max(e.now, l.queue[0].from))
		}
		return
	}
	l.quota--
	l.running, l.runner, l.drain, l.serveAt = true, found.id, drain, -1
	cost := e.m.store
	if !drain {
		found.state = acting
		cost = e.m.rmw
	}
	e.push(e.now+cost, evDone, id, 0)
}

// pending returns how many operations the owner of a line makes on it before
// the next core is served. A posted store may miss its turn if the line has come for a sibling.
func (e *Engine) pending(id int32, l *line) (n int32) {
	for _, p := range e.cores[l.owner].procs {
		if p.state == waiting && p.acc.Op != Load && e.words[p.acc.Word].line == id {
			n++
		}
	}
	others := n > 0
	for _, p := range e.cores[l.owner].procs {
		if !p.draining || e.words[p.buffer[0].Word].line != id || others && !e.chance(e.m.mergedStore) {
			continue
		}
		n++
		if p.state == fenced && len(p.buffer) == 1 && p.acc.Op != Load && e.words[p.acc.Word].line == id {
			n++ // it was waiting for this store only
		}
	}
	return n
}

// operated ends an operation on a line.
func (e *Engine) operated(id int32) {
	l := e.lines[id]
	p := e.procs[l.runner]
	l.running = false
	if l.drain {
		a := p.buffer[0]
		p.buffer = p.buffer[:copy(p.buffer, p.buffer[1:])]
		p.draining = false
		w := &e.words[a.Word]
		w.value = w.value&a.New | a.Arg
		if a.Do != nil {
			a.Do()
		}
		e.written(id, l, p.core)
		if len(p.buffer) > 0 {
			e.drain(p)
		}
		if p.state == full || p.state == fenced && (len(p.buffer) == 0 || p.acc.Op == Load) {
			e.issue(p)
		}
	} else {
		got, changed := e.operate(&p.acc)
		// The process first: what it makes of its registers is made before anybody looks.
		e.complete(p, got, 0)
		if changed && !p.acc.Failed {
			e.written(id, l, p.core)
		}
	}
	if !l.running && l.serveAt < 0 {
		e.tenure(id)
	}
}

// operate makes an operation and reports whether it wrote.
func (e *Engine) operate(a *Access) (got uint64, wrote bool) {
	w := &e.words[a.Word]
	old := w.value
	switch a.Op {
	case Store, Swap:
		w.value = old&a.New | a.Arg
	case Add:
		w.value += a.Arg
		return w.value, true
	case And:
		w.value &= a.Arg
	case Or:
		w.value |= a.Arg
	case CompareAndSwap:
		if old != a.Arg {
			return 0, false
		}
		w.value = a.New
		return 1, true
	}
	return old, true
}

// written notes that the owner has written: a process that polls in the same core sees it.
func (e *Engine) written(id int32, l *line, core int32) {
	l.version++
	e.wake(id, core)
}
