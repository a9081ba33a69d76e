package explore

import (
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// Raw is a lock whose automata are learned while it is explored. It finds out
// which values occur in the registers where nothing else bounds them. It is
// for one worker.
type Raw struct {
	l         *automaton.Learner
	passages  int // 0 for no limit
	maxValues int
	perProc   int // words
	regs      int
	words     int
	slots     slots
	buffers   *rawBuffers // nil if there are none

	Seen      automaton.Seen
	Err       error
	Unbounded bool // a register has got more than maxValues values
	Grown     bool // a register has turned up for which there is no room
}

// A process takes half a word, local state and passages; a register a quarter.
const (
	rawLocal  = 16
	rawValues = 1 << 16

	// MostPassages is the most passages that can be counted.
	MostPassages = 1<<(32-rawLocal) - 1
)

// NewRaw returns the system of a lock of whose registers those known to the
// learner have room in a state. Initial values have been seen.
func NewRaw(l *automaton.Learner, passages, maxValues int) *Raw {
	r := &Raw{l: l, passages: passages, maxValues: min(maxValues, rawValues-1), regs: len(l.Regs)}
	r.perProc = (l.M.N + 1) / 2
	r.words = r.perProc + (r.regs+3)/4
	r.Seen = make(automaton.Seen, r.regs)
	for i := range r.Seen {
		r.Seen[i] = l.Certain(i)
	}
	r.slots = newSlots(l.Heap(), r.words, r.field)
	return r
}

// field is where a register is in a state.
func (r *Raw) field(reg int32) Field {
	return Field{r.perProc + int(reg)/4, uint(reg%4) * 16, rawValues - 1}
}

// Words returns the length of a state.
func (r *Raw) Words() int { return r.words }

// Actors returns the number of processes, times that of outcomes.
func (r *Raw) Actors() int { return r.Parties() * r.l.M.Outcomes() }

// Parties returns the number of processes, and of store buffers.
func (r *Raw) Parties() int {
	if r.buffers != nil {
		return 2 * r.l.M.N
	}
	return r.l.M.N
}

// Initial is all zero: local states and values are numbered from the initial.
func (r *Raw) Initial(s []uint64) { clear(s) }

// Expand makes each process's next access, learning it if need be.
func (r *Raw) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	if r.Grown {
		return 0, Stop // the rest of a batch
	}
	bad = r.bad(s)
	for pid := range r.l.M.N {
		if r.buffers != nil && r.flush(s, out, pid) {
			enabled |= 1 << (r.l.M.N + pid)
		}
		local, passages := r.local(s, pid)
		reg := r.l.Procs[pid].Reg[local]
		if reg < 0 || r.passages > 0 && passages == r.passages || r.buffers != nil && r.stands(s, pid, local) {
			continue
		}
		if r.l.Regs[reg].Decided {
			for v := range int32(len(r.l.Regs[reg].Values)) {
				actor := pid + int(v)*r.Parties()
				if bad |= r.step(s, out, pid, v, actor); bad&Stop != 0 {
					return 0, bad
				}
				enabled |= 1 << actor
			}
			continue
		}
		v := r.of(s, reg)
		if bad |= r.step(s, out, pid, v, pid); bad&Stop != 0 {
			return 0, bad
		}
		enabled |= 1 << pid
	}
	return enabled, bad
}

// step makes a process's next access, by an actor, where its register holds value
// number v. It returns Stop if nothing more is to be explored.
func (r *Raw) step(s, out []uint64, pid int, v int32, actor int) Bad {
	local, passages := r.local(s, pid)
	p := r.l.Procs[pid]
	reg := p.Reg[local]
	bind, err := r.l.Bind(pid, local, v, func() uint64 { return r.used(s) })
	from := local
	if bind != nil {
		from = bind.State
	}
	var m automaton.Move
	if err == nil {
		m, err = r.l.Step(pid, from, r.sees(s, pid, local, v))
	}
	if err != nil {
		r.Err = err
		return Stop
	}
	if len(r.l.Regs) > r.regs {
		r.Grown = true
		return Stop
	}
	r.see(reg, m.Value)
	if int(m.Value) > r.maxValues {
		r.Unbounded = true
		return Stop
	}
	if r.passages > 0 && p.States[m.State].Section == interp.Remainder && automaton.InPassage(p.States[local].Section, p.States[local].Access.Decides()) {
		passages++
	}
	to := out[actor*r.words : (actor+1)*r.words]
	copy(to, s)
	r.setLocal(to, pid, m.State, passages)
	switch {
	case r.buffers == nil:
		to[r.perProc+int(reg)/4] ^= uint64(v^m.Value) << (uint(reg%4) * 16)
	case r.buffers.goes(pid, local):
		r.push(to, pid, reg, m.Value)
	case p.Kind(local)&automaton.Writes != 0:
		r.set(to, reg, m.Value)
	}
	if r.l.Shares() {
		if bind != nil {
			for _, c := range bind.Content {
				r.see(c.Reg, c.Value)
				r.set(to, c.Reg, c.Value)
			}
		}
		r.slots.collect(to, r.used(to))
	}
	return 0
}

// local returns the local state of a process in a state, and its passages.
func (r *Raw) local(s []uint64, pid int) (local int32, passages int) {
	both := s[pid/2] >> (uint(pid%2) * 32) & (1<<32 - 1)
	return int32(both & (1<<rawLocal - 1)), int(both >> rawLocal)
}

func (r *Raw) setLocal(s []uint64, pid int, local int32, passages int) {
	shift := uint(pid%2) * 32
	s[pid/2] = s[pid/2]&^((1<<32-1)<<shift) | (uint64(local)|uint64(passages)<<rawLocal)<<shift
}

// bad says what is wrong with a state.
func (r *Raw) bad(s []uint64) (bad Bad) {
	in := 0
	accesses := make([]access, 0, 64)
	for pid := range r.l.M.N {
		local, passages := r.local(s, pid)
		p := r.l.Procs[pid]
		st := p.States[local]
		in += critical(st.Section, st.Mode)
		bad |= faulty(st.Fault)
		if p.Reg[local] < 0 || r.passages > 0 && passages == r.passages {
			continue
		}
		a := access{p.Reg[local], p.Kind(local)}
		if slices.ContainsFunc(accesses, a.conflicts) {
			bad |= Race
		}
		accesses = append(accesses, a)
	}
	if in > single {
		bad |= Exclusion
	}
	return bad
}

// used returns the slots that are in use in a state.
func (r *Raw) used(s []uint64) (roots uint64) {
	for pid := range r.l.M.N {
		// A process that has made all its passages needs nothing any more.
		if local, passages := r.local(s, pid); r.passages == 0 || passages < r.passages {
			roots |= r.l.Holds(pid, local)
		}
		if r.buffers != nil {
			roots |= r.pending(s, pid)
		}
	}
	return r.l.Heap().Reach(roots, func(reg int32) int32 { return r.of(s, reg) })
}

// of returns the number of the value that a register holds in memory.
func (r *Raw) of(s []uint64, reg int32) int32 {
	return int32(s[r.perProc+int(reg)/4] >> (uint(reg%4) * 16) & (rawValues - 1))
}

func (r *Raw) set(s []uint64, reg, v int32) {
	word, shift := r.perProc+int(reg)/4, uint(reg%4)*16
	s[word] = s[word]&^((rawValues-1)<<shift) | uint64(v)<<shift
}

func (r *Raw) see(reg, v int32) {
	for int(v) >= len(r.Seen[reg]) {
		r.Seen[reg] = append(r.Seen[reg], false)
	}
	r.Seen[reg][v] = true
}
