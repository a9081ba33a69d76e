package analyse

import (
	"math/bits"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Bypass says how often other processes can pass a process.
type Bypass struct {
	// FromStart and PastDoorway are the most critical sections of others that can
	// begin while the process is in its entry section, and past its doorway:
	// Unbounded if there is no bound.
	FromStart, PastDoorway int
	// Cycle is one on which the process, past its doorway, is passed, or nil.
	Cycle *Lasso
	// Overtaken: another process that has not begun when this one is past its
	// doorway can enter before it.
	Overtaken bool
}

// Bypasses finds how often each process can be passed while it makes a passage in a mode.
// past tells, by process and local state of the entry section, whether the process is
// past its doorway. A process that is past its doorway stays so until it enters. past is
// nil if no process ever is. Passages in mode Shared pass no process.
func (s *Space) Bypasses(past [][]bool, mode shm.Mode) []Bypass {
	if s.N <= 8 {
		if b, fit := bypasses[uint8](s, past, mode); fit {
			return b
		}
	}
	if b, fit := bypasses[uint16](s, past, mode); fit {
		return b
	}
	b, _ := bypasses[uint32](s, past, mode)
	return b
}

// passed is, for a state of an entry section, the most critical sections of
// others that can begin before the process leaves it, in all and past its
// doorway, and who can enter while it is past it.
type passed[T uint8 | uint16 | uint32] struct{ start, past, who T }

// worst is what a worker has found. It is written to only where it changes: that of
// another may be in the same line of a cache.
type worst[T uint8 | uint16 | uint32] struct {
	most      []passed[T] // by process
	overtaken procset
}

type passing[T uint8 | uint16 | uint32] struct {
	s      *Space
	mode   shm.Mode
	past   [][]bool
	values []passed[T] // by state and process
	worst  []worst[T]  // by worker
}

// bypasses is Bypasses with numbers of a given width; it reports whether they fit.
func bypasses[T uint8 | uint16 | uint32](s *Space, past [][]bool, mode shm.Mode) (all []Bypass, fit bool) {
	p := &passing[T]{s: s, mode: mode, past: past, values: make([]passed[T], s.G.States*s.N)}
	for range s.workers {
		p.worst = append(p.worst, worst[T]{most: make([]passed[T], s.N)})
	}
	all = make([]Bypass, s.N)
	unbounded := make([]bool, s.N)
	s.walk(s.all(), func(worker int, id uint32, procs procset) {
		if procs &= p.entering(id); procs == 0 {
			return
		}
		var room [mostProcs]passed[T]
		now := room[:s.N]
		waits := p.waits(id, procs)
		p.around(now, id, procs, waits, nil)
		p.note(&p.worst[worker], now, id, procs, waits)
	}, func(worker, pid int, c component, states []uint32) {
		if c.section != interp.Entry || !p.entering(states[0]).has(pid) {
			return
		}
		w, now := &p.worst[worker], make([]passed[T], s.N)
		waits := p.waits(states[0], 1<<pid)
		member := Members(states)
		passes := procset(0)
		for _, id := range states {
			passes |= p.around(now, id, 1<<pid, waits, member)
		}
		unbounded[pid] = unbounded[pid] || passes != 0
		if passes&waits != 0 {
			all[pid].Cycle = nearer(all[pid].Cycle, &Lasso{states: states, least: c.least})
		}
		for _, id := range states {
			p.note(w, now, id, 1<<pid, waits)
		}
	})
	fit = true
	for pid := range all {
		b := &all[pid]
		for _, w := range p.worst {
			b.FromStart, b.PastDoorway = max(b.FromStart, int(w.most[pid].start)), max(b.PastDoorway, int(w.most[pid].past))
			b.Overtaken = b.Overtaken || w.overtaken.has(pid)
		}
		fit = fit && max(b.FromStart, b.PastDoorway) < int(^T(0))
		if unbounded[pid] {
			b.FromStart = shm.Unbounded
		}
		if b.Cycle != nil {
			b.PastDoorway = shm.Unbounded
			b.Cycle.sub = Part{In: func(id uint32) bool { return p.waits(id, p.entering(id)&(1<<pid)) != 0 }}
		}
	}
	return all, fit
}

// entering returns the processes that are in their entry sections, in passages in
// the mode.
func (p *passing[T]) entering(id uint32) procset {
	in := p.s.in(interp.Entry, id)
	if p.s.modes == nil {
		return in
	}
	return p.s.making(id, in, func(q Passage) bool { return q.Mode == p.mode })
}

// passers returns those of some processes, in their critical sections, who pass
// others by that.
func (p *passing[T]) passers(id uint32, procs procset) procset {
	if procs == 0 || p.s.modes == nil {
		return procs
	}
	return p.s.making(id, procs, func(q Passage) bool { return !q.Mode.Reads() })
}

// waits returns those of some processes, in their entry sections, that are past
// their doorways.
func (p *passing[T]) waits(id uint32, procs procset) (past procset) {
	for pid := range p.past {
		if procs.has(pid) && p.past[pid][p.s.local(id, pid)] {
			past |= 1 << pid
		}
	}
	return past
}

// around adds to now what is possible for some processes from a state, but by
// steps inside its component, which is the state alone if member is nil. It
// returns those that are passed in the component.
func (p *passing[T]) around(now []passed[T], id uint32, procs, waits procset, member func(uint32) bool) (passes procset) {
	outside := ^p.s.in(interp.Critical, id)
	for a, to := range p.s.G.Successors(id) {
		if to == explore.None || to == id {
			continue
		}
		// Whose step it is, if it enters.
		enters := p.passers(to, outside&p.s.in(interp.Critical, to)&(1<<p.s.party(a)))
		inside := member != nil && member(to)
		if inside && enters == 0 {
			continue
		}
		if inside {
			passes |= procs &^ enters
		}
		row := p.values[int(to)*p.s.N:][:p.s.N]
		for set := procs; set != 0; set &= set - 1 {
			pid := bits.TrailingZeros16(uint16(set))
			v, weight := &now[pid], T(0)
			if enters != 0 && !enters.has(pid) {
				weight = 1
			}
			if weight > 0 && waits.has(pid) {
				v.who |= T(enters)
			}
			if inside {
				continue
			}
			next := row[pid]
			v.start = max(v.start, add(next.start, weight))
			if waits.has(pid) {
				v.past = max(v.past, add(next.past, weight))
				v.who |= next.who
			}
		}
	}
	return passes
}

// note keeps what is possible for some processes from a state.
func (p *passing[T]) note(w *worst[T], now []passed[T], id uint32, procs, waits procset) {
	for set := procs; set != 0; set &= set - 1 {
		pid := bits.TrailingZeros16(uint16(set))
		v, most := now[pid], &w.most[pid]
		p.values[int(id)*p.s.N+pid] = v
		if v.start > most.start {
			most.start = v.start
		}
		if v.past > most.past {
			most.past = v.past
		}
		if waits.has(pid) && procset(v.who)&p.s.in(interp.Remainder, id) != 0 {
			w.overtaken |= 1 << pid
		}
	}
}

// add adds, up to the limit of the type.
func add[T uint8 | uint16 | uint32](a, b T) T {
	if a > ^T(0)-b {
		return ^T(0)
	}
	return a + b
}
