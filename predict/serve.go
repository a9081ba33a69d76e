package predict

// serve grants a line to the next of its queue. Reads follow one another
// closely; a write waits until all reads under way have arrived.
func (e *Engine) serve(id int32) {
	l := e.lines[id]
	for len(l.queue) > 0 && !l.running && !l.inFlight {
		if at := max(l.free, l.queue[0].from); e.now < at {
			e.serveFrom(id, at)
			return
		}
		if !l.chosen {
			i := e.pick(l)
			if i > 0 {
				r := l.queue[i]
				copy(l.queue[1:i+1], l.queue[:i])
				l.queue[0] = r
			}
		}
		r := l.queue[0]
		if r.write && l.fetches > 0 && e.fault != writeOvertakes {
			l.chosen = true
			return
		}
		l.chosen = false
		l.queue = l.queue[:copy(l.queue, l.queue[1:])]
		l.queued.drop(int(r.core))
		if r.write {
			e.grantWrite(id, l, r)
		} else {
			e.grantRead(id, l, r)
		}
	}
}

// pick returns which request of a queue is next by the policy.
func (e *Engine) pick(l *line) int {
	if e.m.readsFirst {
		for i := range l.queue {
			if l.queue[i].from > e.now {
				break
			}
			if !l.queue[i].write {
				return i
			}
		}
	}
	switch {
	case len(l.queue) == 1 || e.m.policy == InOrder:
		return 0
	case e.m.policy == Random:
		n := 1
		for n < len(l.queue) && l.queue[n].from <= e.now {
			n++
		}
		return int(e.random(int64(n)))
	case l.last < 0:
		return 0
	case e.m.policy == ByGroup:
		return e.byGroup(l)
	case e.chance(e.m.oldest):
		return 0
	}
	return e.nearest(l)
}

// nearest returns the request of the core that had the line last, or one of those from
// nearest to it, the first from anywhere in the queue on: nothing keeps them in the order in
// which they came.
func (e *Engine) nearest(l *line) int {
	here := len(l.queue)
	for l.queue[here-1].from > e.now { // they are sorted, except one that was chosen
		here--
	}
	first := e.m.coreLevel
	if l.queued.has(int(l.last)) {
		first = e.m.levels
	}
	best, nearest := 0, -1
	i := int(e.random(int64(here)))
	for range here {
		if d := e.m.distance(l.last, l.queue[i].core); d > nearest {
			if best, nearest = i, d; d == first {
				break
			}
		}
		if i++; i == here {
			i = 0
		}
	}
	return best
}

// byGroup returns a request of the innermost group that has the line, any of those that were
// waiting when the line came into the group, and then the oldest of the other groups. So a
// request from outside waits until every core of the group has had the line once.
func (e *Engine) byGroup(l *line) int {
	here := len(l.queue)
	for l.queue[here-1].from > e.now {
		here--
	}
	group := e.m.inner[l.last]
	n, found, other := int64(0), -1, -1
	for i := range here {
		r := &l.queue[i]
		switch {
		case e.m.inner[r.core] != group:
			if other < 0 {
				other = i
			}
		case r.from <= l.entered:
			if n++; n == 1 || e.random(n) == 0 {
				found = i
			}
		}
	}
	if found >= 0 {
		return found
	}
	if other >= 0 {
		return other
	}
	l.entered = e.now
	return int(e.random(int64(here)))
}

// grantWrite takes all other copies away and sends the line to its new owner.
func (e *Engine) grantWrite(id int32, l *line, r request) {
	far, others := e.m.levels, 0
	owner := l.owner
	if owner >= 0 {
		far, others = e.m.distance(owner, r.core), 1
		l.owner = -1
		e.wake(id, owner)
	}
	shared := false
	for i, bits := range l.sharers {
		for b := 0; bits != 0; b++ {
			if bits&1 != 0 {
				if c := int32(i*64 + b); c != r.core {
					shared = true
					others++
					far = min(far, e.m.distance(c, r.core))
					if e.fault != keepsSharers {
						l.sharers.drop(int(c))
					}
					e.wake(id, c)
				}
			}
			bits >>= 1
		}
	}
	l.sharers.drop(int(r.core))
	e.wake(id, r.core) // it is told by the write itself, if one follows
	latency := e.m.memory
	switch {
	case others > 0:
		latency = e.m.transfer[far]
		if shared && l.groups != nil && far <= e.m.localLevel {
			latency = latency * e.m.invalidate / 1000
		}
	case l.last >= 0:
		latency, far = e.m.upgrade, e.m.levels
	default:
		far = -1
	}
	for g := range l.groups {
		l.groups[g] = group{}
	}
	if l.last < 0 || e.m.inner[l.last] != e.m.inner[r.core] {
		l.entered = e.now + latency
	}
	e.moved(r, far, others, latency)
	l.owner, l.last, l.inFlight = r.core, r.core, true
	e.push(e.now+latency, evArrive, id, 0)
	if owner >= 0 {
		e.again(id, l, owner)
	}
}

// again has a core that lost a line ask for the rest of its work on the line.
func (e *Engine) again(id int32, l *line, core int32) {
	for _, p := range e.cores[core].procs {
		if p.state == waiting && e.words[p.acc.Word].line == id {
			e.want(p, p.acc.Word, p.acc.Op != Load)
		}
		if p.draining && e.words[p.buffer[0].Word].line == id {
			e.want(p, p.buffer[0].Word, true)
		}
	}
}

// grantRead sends a copy of the line to a core.
func (e *Engine) grantRead(id int32, l *line, r request) {
	near, others := -1, 0
	owner := l.owner
	var latency, occupied Time
	start := e.now
	g := e.m.group[r.core]
	switch {
	case l.owner >= 0:
		near, others = e.m.distance(l.owner, r.core), 1
		if e.fault != readLeavesOwner {
			if e.m.takes {
				l.owner = -1
				e.wake(id, owner)
			} else {
				l.sharers.add(int(l.owner))
				l.owner = -1
			}
		}
		latency = e.m.transfer[near]
		occupied = latency
		if l.groups != nil {
			occupied = e.m.occupancy(near, e.m.localLevel)
			l.groups[e.m.group[l.last]].valid = true
		}
	default:
		for i, bits := range l.sharers {
			for b := 0; bits != 0; b++ {
				if bits&1 != 0 {
					others++
					near = max(near, e.m.distance(int32(i*64+b), r.core))
				}
				bits >>= 1
			}
		}
		latency = e.m.memory
		if near >= 0 {
			latency = e.m.transfer[near]
		}
		occupied = e.m.readOccupancy
		if l.groups != nil {
			occupied = e.m.farOccupancy
		}
	}
	if l.groups != nil {
		if lg := &l.groups[g]; lg.valid {
			// A core of the group has a copy or will have one: it serves the others in turn.
			near = e.m.localLevel
			start = max(e.now, lg.free, lg.fetched)
			latency = e.m.transfer[e.m.coreLevel]
			lg.free = start + e.m.readOccupancy
			occupied = 0
		} else {
			lg.valid, lg.fetched = true, e.now+latency
			lg.free = lg.fetched
		}
	}
	e.moved(r, near, others, start+latency-e.now)
	l.fetching.add(int(r.core))
	l.fetches++
	l.free = e.now + occupied
	e.push(start+latency, evRead, id, r.core)
	if owner >= 0 {
		e.again(id, l, owner)
	}
}

func (e *Engine) moved(r request, distance, others int, latency Time) {
	if e.Moved != nil {
		e.Moved(Transfer{int(r.proc), r.word, r.write, distance, others, e.now - r.from, latency})
	}
}

// arrived ends a read: the loads of the core that wait for the line have their value.
func (e *Engine) arrived(id int32, c int) {
	l := e.lines[id]
	l.fetching.drop(c)
	l.fetches--
	l.sharers.add(c)
	for _, p := range e.cores[c].procs {
		if p.state == waiting && p.acc.Op == Load && e.words[p.acc.Word].line == id {
			e.loaded(p)
		}
	}
	if l.chosen && l.fetches == 0 {
		e.serve(id)
	}
}
