package explore

import (
	"math/bits"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Field is a place in a packed state.
type Field struct {
	Word  int
	Shift uint
	Mask  uint64
}

// Of returns the field's value in a state.
func (f Field) Of(s []uint64) int32 { return int32(s[f.Word] >> f.Shift & f.Mask) }

// set sets the field in a state.
func (f Field) set(s []uint64, v int32) {
	s[f.Word] = s[f.Word]&^(f.Mask<<f.Shift) | uint64(v)<<f.Shift
}

// packer lays fields out one after another; none straddles two words.
type packer struct {
	word int
	used uint
}

func (p *packer) field(values int) Field {
	width := uint(bits.Len(uint(values - 1)))
	if p.used+width > 64 {
		p.word, p.used = p.word+1, 0
	}
	f := Field{p.word, p.used, 1<<width - 1}
	p.used += width
	return f
}

// SC is a model under sequential consistency: each process's next access takes effect at
// once, and one after another. If a process decides by itself how to go on, its step has an
// outcome for each possible decision.
type SC struct {
	Model *automaton.Model
	Procs []Field // the local states
	Regs  []Field // the registers' values
	free  packer  // where further fields begin
	words int
	// outcomes is how many a step has at most.
	outcomes int
	local    [][]local
	edges    []edge
	plain    bool
	slots    slots
}

type local struct {
	base     int32 // of its edges, none if it has none, or shares
	reg      Field
	register int32
	kind     automaton.AccessKind
	critical int // one of the weights below, if it is in its critical section
	fault    Bad // as faulty says
}

// The weights of the processes in their critical sections are added. The sum is more
// than single if a process that excludes others is not the only one there.
const (
	together = 1
	single   = MostActors + 1
)

// critical is what a process adds in a section of a passage in a mode.
func critical(s interp.Section, mode shm.Mode) int {
	switch {
	case s != interp.Critical:
		return 0
	case !mode.Conflicts(mode):
		return together
	}
	return single
}

// What stands for the edges of a local state.
const (
	none    = -1 // it makes no access
	shares  = -2 // its access may share what its process has allocated
	lacks   = -3 // its access is to a register that the model does not have
	decides = -4 // it makes no access, and its process decides how to go on
)

// edge is what a step changes, by exclusive or. That of a step which leaves a
// value that the model does not know has missing for reg.
type edge struct{ proc, reg uint64 }

const missing = ^uint64(0)

// NewSC packs a model.
func NewSC(m *automaton.Model) *SC {
	s := &SC{Model: m, outcomes: 1}
	var p packer
	for _, proc := range m.Procs {
		s.Procs = append(s.Procs, p.field(len(proc.Local)))
	}
	for _, r := range m.Regs {
		values := len(r.Values)
		if r.Decided {
			values = 1 // no process writes to it
		}
		s.Regs = append(s.Regs, p.field(values))
	}
	s.words, s.free = p.word+1, p
	s.slots = newSlots(m.Heap, s.words, func(reg int32) Field { return s.Regs[reg] })
	for pid, proc := range m.Procs {
		locals := make([]local, len(proc.Local))
		for i, l := range proc.Local {
			locals[i] = s.compile(s.Procs[pid], int32(i), l)
		}
		s.local = append(s.local, locals)
	}
	return s
}

func (s *SC) compile(proc Field, i int32, l automaton.Local) local {
	out := local{base: none, register: l.Reg, kind: l.Kind,
		critical: critical(l.Section, l.Mode), fault: faulty(l.Fault)}
	s.plain = s.plain || l.Kind&automaton.Plain != 0
	switch {
	case l.Reg < 0:
		return out
	case int(l.Reg) >= len(s.Regs):
		out.base = lacks
		return out
	}
	switch out.reg = s.Regs[l.Reg]; {
	case l.Binds != nil:
		out.base = shares
		return out
	case l.Decides:
		out.base, s.outcomes = decides, max(s.outcomes, len(l.Moves))
		return out
	}
	out.base = int32(len(s.edges))
	for v, m := range l.Moves {
		e := edge{proc: uint64(i^m.State) << proc.Shift, reg: missing}
		if m.Value != automaton.Unknown {
			e.reg = uint64(int32(v)^m.Value) << out.reg.Shift
		}
		s.edges = append(s.edges, e)
	}
	return out
}

// Words returns the length of a packed state.
func (s *SC) Words() int { return s.words }

// Actors returns the number of processes, times that of outcomes.
func (s *SC) Actors() int { return s.Model.N * s.outcomes }

// Parties returns the number of processes.
func (s *SC) Parties() int { return s.Model.N }

// Initial sets the processes to their initial states and the registers to their initial
// values. The rest of a state is 0.
func (s *SC) Initial(to []uint64) {
	clear(to)
	for pid, p := range s.Model.Procs {
		f := s.Procs[pid]
		to[f.Word] |= uint64(p.Init) << f.Shift
	}
}

// Digest is that of the model.
func (s *SC) Digest() string { return s.Model.Digest() }

// Expand makes each process's next access.
func (s *SC) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	return s.expand(from, out, s.words)
}

// expand writes successors that are stride words apart, each into the first
// Words of them.
func (s *SC) expand(from, out []uint64, stride int) (enabled uint64, bad Bad) {
	from = from[:s.words]
	for pid := range s.Procs {
		f := &s.Procs[pid]
		l := &s.local[pid][from[f.Word]>>f.Shift&f.Mask]
		if l.base < 0 {
			switch l.base {
			case shares:
				s.share(pid, from, out[pid*stride:][:s.words])
				enabled |= 1 << pid
			case lacks:
				bad |= Missing
			case decides:
				enabled |= s.decide(pid, from, out, stride, s.Model.N)
			}
			continue
		}
		e := s.edges[l.base+int32(from[l.reg.Word]>>l.reg.Shift&l.reg.Mask)]
		if e.reg == missing {
			bad |= Missing
			continue
		}
		to := out[pid*stride:][:s.words]
		copy(to, from)
		to[f.Word] ^= e.proc
		to[l.reg.Word] ^= e.reg
		enabled |= 1 << pid
	}
	if s.Model.Heap != nil {
		s.collect(enabled, out, stride, s.used)
	}
	return enabled, bad | s.judge(from)
}

// judge says what is wrong with a state itself. What the model lacks is found when steps
// are made.
func (s *SC) judge(from []uint64) (bad Bad) {
	critical := 0
	for pid := range s.Procs {
		l := &s.local[pid][s.Procs[pid].Of(from)]
		critical += l.critical
		bad |= l.fault
	}
	if critical > single {
		bad |= Exclusion
	}
	if s.plain && s.race(from) {
		bad |= Race
	}
	return bad
}

// decide has a process decide how to go on, in each way that it can, and returns
// the actors that do.
func (s *SC) decide(pid int, from, out []uint64, stride, parties int) (enabled uint64) {
	for k, m := range s.Local(from, pid).Moves {
		to := out[(pid+k*parties)*stride:][:stride]
		copy(to, from[:stride])
		s.Procs[pid].set(to, m.State)
		enabled |= 1 << (pid + k*parties)
	}
	return enabled
}

// faulty says what is wrong with a process that has a fault, if it has one.
func faulty(f *interp.Fault) Bad {
	switch {
	case f == nil:
		return 0
	case f.Refused:
		return Beyond
	case f.Outcome:
		return Outcome
	}
	return Panic
}

// access is what a process does next: to which register, and how.
type access struct {
	register int32
	kind     automaton.AccessKind
}

// conflicts reports whether two accesses at once are a data race.
func (a access) conflicts(b access) bool {
	return a.register == b.register && (a.kind|b.kind)&automaton.Plain != 0 && (a.kind|b.kind)&automaton.Writes != 0
}

// race reports whether two processes are about to access one register, one of
// them to write, and one of them plainly.
func (s *SC) race(from []uint64) bool {
	for p := range s.Procs {
		a := &s.local[p][s.Procs[p].Of(from)]
		if a.base == none || a.kind == 0 {
			continue
		}
		for q := range p {
			b := &s.local[q][s.Procs[q].Of(from)]
			if b.base != none && (access{a.register, a.kind}).conflicts(access{b.register, b.kind}) {
				return true
			}
		}
	}
	return false
}

// Local returns the local state of a process.
func (s *SC) Local(from []uint64, pid int) *automaton.Local {
	return &s.Model.Procs[pid].Local[s.Procs[pid].Of(from)]
}
