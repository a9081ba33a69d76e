package predict

import "math/bits"

// Engine is a machine on which processes run. It is deterministic: the same
// machine, processes and seed give the same times.
type Engine struct {
	m     costs
	now   Time
	rng   uint64
	queue queue

	procs []*proc
	cores []core
	lines []*line
	words []word

	// Accesses counts the loads, stores and read-modify-writes so far.
	Accesses int64
	// Marked is called at each Mark, and Moved at each transfer of a line, if they are not nil.
	Marked func(process int, place uint64, now Time)
	Moved  func(Transfer)

	running int // processes that have not ended
	fault   fault
	err     error
}

// Transfer is the move of a line to a core.
type Transfer struct {
	Process int   // of the process whose access asked for it
	Word    int32 // that it accesses
	Write   bool
	// Distance is the index of the outermost level that differs, and -1 from memory. It is
	// the number of levels where the core that writes has the only copy already.
	Distance int
	Sharers  int // other cores that had a copy
	Queued   Time
	Latency  Time
}

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
	return &Engine{m: c, rng: seed*0x9e3779b97f4a7c15 + 0x1234567, cores: make([]core, c.cores), queue: queue{pool: make([]node, 1, 64)}}
}

// AddLine adds a line without copies.
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

// AddWord adds a register to a line.
func (e *Engine) AddWord(line int32, value uint64) int32 {
	e.words = append(e.words, word{line, value})
	return int32(len(e.words) - 1)
}

// Value returns the value of a register.
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

// chance returns true with a probability in millionths.
func (e *Engine) chance(millionths int64) bool {
	return millionths >= 1e6 || millionths > 0 && e.random(1e6) < millionths
}

// Run runs until all processes have ended or more returns false. Run calls more after every
// event.
func (e *Engine) Run(more func() bool) error {
	for e.running > 0 && e.err == nil {
		ev, ok := e.queue.pop(e.now)
		if !ok {
			if !e.stuck() {
				return e.err
			}
			continue
		}
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
