package predict

import "math/bits"

// Engine is a machine on which processes run. It is deterministic: the same
// machine, processes and seed give the same times.
type Engine struct {
	m    costs
	now  Time
	rng  uint64
	heap queue

	procs []*proc
	cores []core
	lines []*line
	words []word

	// Accesses counts the loads, stores and read-modify-writes so far.
	Accesses int64
	// Marked is called at each Mark, Moved at each transfer of a line, if they are not nil.
	Marked func(process int, place uint64, now Time)
	Moved  func(Transfer)

	running int // processes that have not ended
	fault   fault
	err     error
}

// Transfer is a line that is brought to a core.
type Transfer struct {
	Process int   // of the process whose access asked for it
	Word    int32 // that it accesses
	Write   bool
	// Distance is the index of the outermost level that differs, -1 from memory, and
	// the number of levels where the core that writes has the only copy already.
	Distance int
	Sharers  int // other cores that had a copy
	Queued   Time
	Latency  Time
}

type word struct {
	line  int32
	value uint64
}

type set []uint64

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) drop(i int)     { s[i>>6] &^= 1 << (i & 63) }

// request is a core that waits for a line.
type request struct {
	core  int32
	proc  int32
	word  int32
	write bool
	from  Time // when it is at the line
}

// line is a line of the caches. It has an owner, which alone has a copy and
// may write, or sharers; while it moves to its owner it is in flight.
type line struct {
	owner    int32 // core, or -1
	last     int32 // core that held it last for writing, or -1
	inFlight bool
	running  bool // the owner makes an operation on it
	drain    bool // which is a posted store
	chosen   bool // the first of the queue is served next, when no read is under way
	runner   int32
	quota    int32 // operations that the owner may make before the next core is served
	fetches  int32 // reads under way
	version  uint32
	free     Time      // from when the next request may be served
	serveAt  Time      // of the event that serves, or -1
	queue    []request // sorted by from
	queued   set       // the cores that are in it
	sharers  set
	fetching set
	groups   []group
}

// group is what a group of cores that serves its own reads knows of a line.
type group struct {
	free    Time
	fetched Time // when the read that is under way arrives
	valid   bool // a core of it has a copy, or will have
}

type core struct {
	procs   []*proc
	working int
}

type state uint8

const (
	ready   state = iota // an event will continue it
	waiting              // for the line of its access
	fenced               // for its posted stores
	full                 // for room in its store buffer
	acting               // it makes its operation
	asleep               // it polls what has not changed
	working
	ended
)

type proc struct {
	id       int32
	core     int32
	state    state
	draining bool // the first posted store has asked for its line
	code     Process
	acc      Access
	buffer   []Access

	loop    loop
	left    Time // work to do, if alone
	since   Time
	rate    Time // in thousandths
	workGen int32
}

// bufferSize is how many posted stores a core keeps: 56 of Intel's Skylake,
// from its optimisation manual. No lock fills it.
const bufferSize = 56

// NewEngine returns a machine without processes.
func NewEngine(m *Machine, seed uint64) (*Engine, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	c, err := m.costs()
	if err != nil {
		return nil, err
	}
	return newEngine(c, seed), nil
}

func newEngine(c costs, seed uint64) *Engine {
	return &Engine{m: c, rng: seed*0x9e3779b97f4a7c15 + 0x1234567, cores: make([]core, c.cores)}
}

// AddLine makes a line that no process has a copy of.
func (e *Engine) AddLine() int32 {
	n := (e.m.cores + 63) / 64
	sets := make(set, 3*n)
	l := &line{owner: -1, last: -1, serveAt: -1, sharers: sets[:n:n], fetching: sets[n : 2*n : 2*n], queued: sets[2*n:]}
	if e.m.groups > 1 {
		l.groups = make([]group, e.m.groups)
	}
	e.lines = append(e.lines, l)
	return int32(len(e.lines) - 1)
}

// AddWord makes a register in a line.
func (e *Engine) AddWord(line int32, value uint64) int32 {
	e.words = append(e.words, word{line, value})
	return int32(len(e.words) - 1)
}

// Value returns what a register holds.
func (e *Engine) Value(word int32) uint64 { return e.words[word].value }

// AddProcess puts the next process on its hardware thread, and starts it at a time.
func (e *Engine) AddProcess(code Process, start Time) {
	p := &proc{id: int32(len(e.procs)), code: code}
	p.core = int32(e.m.order[len(e.procs)] / e.m.threads)
	e.procs = append(e.procs, p)
	e.cores[p.core].procs = append(e.cores[p.core].procs, p)
	e.running++
	e.push(max(start, e.now), evStart, p.id, 0)
}

// Now returns the time.
func (e *Engine) Now() Time { return e.now }

// random returns a number below n.
func (e *Engine) random(n int64) int64 {
	e.rng += 0x9e3779b97f4a7c15
	z := e.rng
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	hi, _ := bits.Mul64(z^z>>31, uint64(n))
	return int64(hi)
}

// chance is true so many times in a million.
func (e *Engine) chance(millionths int64) bool {
	return millionths >= 1e6 || millionths > 0 && e.random(1e6) < millionths
}

// Run runs until all processes have ended or more returns false, which is
// asked after every event.
func (e *Engine) Run(more func() bool) error {
	for e.running > 0 && e.err == nil {
		if e.heap.empty() && !e.stuck() {
			return e.err
		}
		ev := e.heap.pop()
		e.now = ev.at
		e.handle(ev)
		if more != nil && !more() {
			break
		}
	}
	return e.err
}

func (e *Engine) handle(ev event) {
	switch ev.kind {
	case evStart:
		p := e.procs[ev.a]
		p.acc = p.code.Next(0)
		e.issue(p)
	case evIssue:
		e.issue(e.procs[ev.a])
	case evNext:
		p := e.procs[ev.a]
		e.complete(p, 0, 0)
	case evWork:
		if p := e.procs[ev.a]; p.workGen == ev.b {
			e.worked(p)
		}
	case evDone:
		e.operated(ev.a)
	case evArrive:
		l := e.lines[ev.a]
		l.inFlight = false
		l.quota = e.pending(ev.a, l)
		e.tenure(ev.a)
	case evRead:
		e.arrived(ev.a, int(ev.b))
	case evServe:
		if l := e.lines[ev.a]; l.serveAt == e.now {
			l.serveAt = -1
			e.serve(ev.a)
		}
	}
}

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
	case Pause:
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

// has reports whether a core has a copy of a line.
func (e *Engine) has(l *line, core int) bool {
	return int(l.owner) == core && !l.inFlight || l.sharers.has(core)
}

// complete ends the access of a process, which got a value, and has it issue
// the next one after a delay and the gap.
func (e *Engine) complete(p *proc, got uint64, delay Time) {
	p.acc = p.code.Next(got)
	p.state = ready
	if p.loop.woken && !p.loop.stays(&p.acc) {
		p.loop.woken = false
		delay += e.m.spinExit
	}
	if p.acc.Op != Load && p.acc.Op != Pause {
		p.loop.restart()
		p.loop.alarms, p.loop.last = 0, -1
	}
	e.push(e.now+delay+e.m.gap, evIssue, p.id, 0)
}

// drain sends the first posted store of a process on its way.
func (e *Engine) drain(p *proc) {
	p.draining = true
	e.want(p, p.buffer[0].Word, true)
}

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
				e.complete(p, e.words[p.acc.Word].value, e.m.hit)
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
