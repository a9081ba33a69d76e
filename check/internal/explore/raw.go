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
	locals    []Field // by process: the local states
	made      []Field // by process: the passages that are done
	regs      []Field // the registers' values
	spare     []Field // for registers that turn up
	heldSlots int     // that may be in use in a state
	words     int
	slots     slots
	buffers   *buffers // nil if there are none
	// intoBuffer tells which stores go into the buffers, by local state of the learner.
	intoBuffer func(pid int, local int32) bool
	// crashes are those of processes, nil if there are none; count is how many there have been.
	crashes *Crashes
	count   Field

	Seen      automaton.Seen
	values    int // that have been seen
	Err       error
	Unbounded bool // a register has got more than maxValues values
	Grown     bool // a register has turned up that has no room
}

// The fields of a state have room for so many local states and values.
const (
	rawLocals = 1 << 16
	valueBits = 16

	// spareRegs is how many registers may turn up before an exploration must begin again.
	spareRegs = 4

	// MostPassages is the most passages that can be counted.
	MostPassages = 1<<16 - 1
)

// RawOptions say what a Raw explores.
type RawOptions struct {
	Passages  int // 0 for no limit
	MaxValues int
	// Capacity is how many stores a store buffer holds; 0 if there are no buffers. IntoBuffer tells
	// which stores go there, by local state of the learner.
	Capacity   int
	IntoBuffer func(pid int, local int32) bool
	Crashes    *Crashes // nil if processes do not crash
}

// NewRaw returns the system of a lock. A state has room for the registers that the
// learner knows. Initial values count as seen.
func NewRaw(l *automaton.Learner, o RawOptions) *Raw {
	r := &Raw{l: l, passages: o.Passages, maxValues: min(o.MaxValues, 1<<valueBits-1), intoBuffer: o.IntoBuffer, crashes: o.Crashes}
	var p packer
	for range l.M.N {
		r.locals, r.made = append(r.locals, p.field(rawLocals)), append(r.made, p.field(MostPassages+1))
	}
	p = packer{word: p.word + 1}
	for i := range l.Regs {
		r.regs, r.Seen = append(r.regs, p.field(1<<valueBits)), append(r.Seen, l.Certain(i))
	}
	for range spareRegs {
		r.spare = append(r.spare, p.field(1<<valueBits))
	}
	r.words, r.heldSlots = p.word+1, len(l.Heap().Slots)
	if o.Capacity > 0 {
		r.buffers = newBuffers(l.M.N, r.words, o.Capacity, valueBits, valueBits)
		r.words += r.buffers.words()
	}
	if o.Crashes != nil && o.Crashes.Most > 0 {
		p = packer{word: r.words}
		r.count, r.words = p.field(o.Crashes.Most+1), r.words+1
	}
	r.findSlots()
	return r
}

func (r *Raw) findSlots() {
	r.slots = newSlots(r.l.Heap(), r.words, func(reg int32) Field { return r.regs[reg] })
}

// room gives new registers their places in a state, and reports whether there were enough. They hold
// their first value in every state that was visited, unless they are in a slot that was in use.
func (r *Raw) room() bool {
	for reg := len(r.regs); reg < len(r.l.Regs); reg++ {
		if len(r.spare) == 0 || r.l.Heap().In(int32(reg)) < r.heldSlots {
			return false
		}
		r.regs, r.spare, r.Seen = append(r.regs, r.spare[0]), r.spare[1:], append(r.Seen, r.l.Certain(reg))
	}
	r.findSlots()
	return true
}

// Words returns the length of a state.
func (r *Raw) Words() int { return r.words }

// Actors returns the number of processes, times that of outcomes.
func (r *Raw) Actors() int { return r.Parties() * r.l.M.Outcomes() }

// Parties returns the number of processes, and of store buffers.
func (r *Raw) Parties() int {
	switch {
	case r.buffers != nil:
		return 2 * r.l.M.N
	case r.crashes != nil:
		return r.l.M.N + r.crashes.Parties(r.l.M.N)
	}
	return r.l.M.N
}

// Initial is all zero: local states and values are numbered from the initial.
func (r *Raw) Initial(s []uint64) { clear(s) }

// Expand makes each process's next access, learning it if need be, and moves each
// buffer's oldest store to memory, or crashes processes.
func (r *Raw) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	if r.Grown {
		return 0, Stop // the rest of a batch
	}
	bad = r.bad(s)
	for pid := range r.l.M.N {
		if r.buffers != nil && !r.buffers.empty(s, pid) {
			r.flush(s, out, pid)
			enabled |= 1 << (r.l.M.N + pid)
		}
		local := r.locals[pid].Of(s)
		reg := r.l.Procs[pid].Reg[local]
		if reg < 0 || r.ended(s, pid) || r.buffers != nil && r.buffers.waits(s, pid, r.l.Procs[pid].Kind(local), r.intoBuffer(pid, local)) {
			continue
		}
		first, outcomes := r.regs[reg].Of(s), 1
		if r.l.Regs[reg].Decided {
			first, outcomes = 0, len(r.l.Regs[reg].Values)
		}
		for outcome := range outcomes {
			actor := pid + outcome*r.Parties()
			if bad |= r.step(s, out, pid, first+int32(outcome), actor); bad&Stop != 0 {
				return 0, bad
			}
			enabled |= 1 << actor
		}
	}
	if r.crashes != nil {
		enabled |= r.crash(s, out)
	}
	return enabled, bad
}

// crash lets processes crash that are not in their remainder sections, and returns the
// actors that do.
func (r *Raw) crash(s, out []uint64) (enabled uint64) {
	n := r.l.M.N
	if r.crashes.Most > 0 && int(r.count.Of(s)) == r.crashes.Most {
		return 0
	}
	for k := range r.crashes.Parties(n) {
		to := out[(n+k)*r.words:][:r.words]
		copy(to, s)
		for pid, end := r.crashes.Hit(k, n); pid < end; pid++ {
			if st := r.l.Procs[pid].States[r.locals[pid].Of(s)]; st.Section != interp.Remainder && st.Fault == nil {
				r.locals[pid].set(to, 0)
				enabled |= 1 << (n + k)
			}
		}
		if r.crashes.Most > 0 {
			r.count.set(to, r.count.Of(s)+1)
		}
	}
	return enabled
}

// flush moves the oldest store of a process to memory.
func (r *Raw) flush(s, out []uint64, pid int) {
	to := out[(r.l.M.N+pid)*r.words:][:r.words]
	copy(to, s)
	reg, value := r.buffers.pop(to, pid)
	r.regs[reg].set(to, value)
	r.collect(to)
}

// step makes a process's next access, by an actor, where its register holds value
// number v. It returns Stop if nothing more is to be explored.
func (r *Raw) step(s, out []uint64, pid int, v int32, actor int) Bad {
	local := r.locals[pid].Of(s)
	p := r.l.Procs[pid]
	reg := p.Reg[local]
	bind, err := r.l.Bind(pid, local, v, func() uint64 { return r.used(s) })
	from := local
	if bind != nil {
		from = bind.State
	}
	var m automaton.Move
	if err == nil {
		if r.buffers != nil {
			v = r.buffers.sees(s, pid, p.Kind(local), reg, v)
		}
		m, err = r.l.Step(pid, from, v)
	}
	if err != nil {
		r.Err = err
		return Stop
	}
	if len(r.l.Regs) > len(r.regs) && !r.room() {
		r.Grown = true
		return Stop
	}
	r.heldSlots = len(r.l.Heap().Slots)
	r.see(reg, m.Value)
	if int(m.Value) > r.maxValues {
		r.Unbounded = true
		return Stop
	}
	to := out[actor*r.words : (actor+1)*r.words]
	copy(to, s)
	r.locals[pid].set(to, m.State)
	if r.passages > 0 && p.States[m.State].Section == interp.Remainder && automaton.InPassage(p.States[local].Section, p.States[local].Access.Decides()) {
		r.made[pid].set(to, r.made[pid].Of(s)+1)
	}
	switch {
	case r.buffers != nil && r.intoBuffer(pid, local):
		r.buffers.push(to, pid, reg, m.Value)
	case p.Kind(local)&automaton.Writes != 0:
		r.regs[reg].set(to, m.Value)
	}
	if bind != nil {
		for _, c := range bind.Content {
			r.see(c.Reg, c.Value)
			r.regs[c.Reg].set(to, c.Value)
		}
	}
	r.collect(to)
	return 0
}

// collect gives the registers of slots that are not in use their first value.
func (r *Raw) collect(to []uint64) {
	if r.l.Shares() {
		r.slots.collect(to, r.used(to))
	}
}

// ended reports whether a process has made all its passages.
func (r *Raw) ended(s []uint64, pid int) bool {
	return r.passages > 0 && int(r.made[pid].Of(s)) == r.passages
}

// bad says what is wrong with a state.
func (r *Raw) bad(s []uint64) (bad Bad) {
	in := 0
	accesses := make([]access, 0, 64)
	for pid := range r.l.M.N {
		local := r.locals[pid].Of(s)
		p := r.l.Procs[pid]
		st := p.States[local]
		in += critical(st.Section, st.Mode)
		bad |= faulty(st.Fault)
		if p.Reg[local] < 0 || r.ended(s, pid) {
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
		if !r.ended(s, pid) { // otherwise the process needs nothing any more
			roots |= r.l.Holds(pid, r.locals[pid].Of(s))
		}
	}
	if r.buffers != nil {
		roots |= r.buffers.leads(s, r.l.Heap())
	}
	return r.l.Heap().Reach(roots, func(reg int32) int32 { return r.regs[reg].Of(s) })
}

func (r *Raw) see(reg, v int32) {
	for int(v) >= len(r.Seen[reg]) {
		r.Seen[reg] = append(r.Seen[reg], false)
	}
	if !r.Seen[reg][v] {
		r.Seen[reg][v] = true
		r.values++
	}
}
