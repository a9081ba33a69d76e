package automaton

import "slices"

// Alike is a process that does what another one does, with other registers.
type Alike struct {
	// First is the least process that it is like, which may be itself.
	First int
	// State has, by local state of First, the state of this process that
	// corresponds to it, or -1; it is nil if First is the process itself.
	State []int32
	// Initial: the mapping keeps the initial state.
	Initial bool
}

// mostTries is how many pairs of processes are gone through at most to find out
// which are alike: there are more permutations than anybody can try.
const mostTries = 1 << 8

// Alike finds which processes are alike: a permutation of the processes takes the
// one to the other, and with it go a mapping of their local states, one of registers,
// and one of the values of each register, which together map every step to a step,
// and the initial state to a state that can be reached. Of those quiet gives some
// in which nothing but values of registers differs from the initial state, which is
// the first: quiet[k] has the values by register. It does not find all of them where
// processes are many. owner gives whose a register is, or -1; the mapping keeps to
// that as well.
func (m *Model) Alike(quiet [][]int32, owner func(reg int32) int) []Alike {
	alike := make([]Alike, m.N)
	for q := range alike {
		alike[q] = Alike{First: q, Initial: true}
		for i, initial := range quiet {
			tries := mostTries
			for p := 0; p < q && alike[q].First == q && m.Heap == nil; p++ {
				if alike[p].First != p {
					continue
				}
				y := m.nothingMapped(initial, owner)
				if y = y.with(p, q, &tries).complete(&tries); y != nil {
					alike[q] = Alike{p, y.state[p].to, i == 0}
				}
			}
		}
	}
	return alike
}

// symmetry is a mapping of a model to itself, as far as it is known.
type symmetry struct {
	m        *Model
	initial  []int32 // by register, the values that the initial ones are mapped to
	owner    func(reg int32) int
	proc     bijection
	state    []bijection // by process
	register bijection
	value    []bijection // by register
	accesses [][]visit   // by register, those in local states that are mapped
	next     []visit     // that were not compared yet
}

// visit is an access in a local state of a process where its register holds a
// value.
type visit struct {
	pid      int
	state, v int32
}

// bijection maps numbers to numbers, and back; -1 is not mapped.
type bijection struct{ to, from []int32 }

func newBijection(from, to int) bijection {
	return bijection{slices.Repeat([]int32{-1}, from), slices.Repeat([]int32{-1}, to)}
}

func (b bijection) clone() bijection { return bijection{slices.Clone(b.to), slices.Clone(b.from)} }

// pair maps x to y, and reports whether that is new, and whether nothing that is
// known contradicts it.
func (b bijection) pair(x, y int32) (fresh, ok bool) {
	switch {
	case int(x) >= len(b.to) || int(y) >= len(b.from):
		return false, false
	case b.to[x] < 0 && b.from[y] < 0:
		b.to[x], b.from[y] = y, x
		return true, true
	}
	return false, b.to[x] == y
}

func (m *Model) nothingMapped(initial []int32, owner func(reg int32) int) *symmetry {
	return &symmetry{m: m, initial: initial, owner: owner, proc: newBijection(m.N, m.N), state: make([]bijection, m.N),
		register: newBijection(len(m.Regs), len(m.Regs)), value: make([]bijection, len(m.Regs)), accesses: make([][]visit, len(m.Regs))}
}

// with returns the mapping that takes process p to q as well, or nil if there is
// none, or nothing is left to try.
func (y *symmetry) with(p, q int, tries *int) *symmetry {
	if *tries == 0 || len(y.m.Procs[p].Local) != len(y.m.Procs[q].Local) {
		return nil
	}
	*tries--
	out := &symmetry{m: y.m, initial: y.initial, owner: y.owner, proc: y.proc.clone(), register: y.register.clone()}
	for _, s := range y.state {
		out.state = append(out.state, s.clone())
	}
	for _, v := range y.value {
		out.value = append(out.value, v.clone())
	}
	for _, a := range y.accesses {
		out.accesses = append(out.accesses, slices.Clip(a))
	}
	size := len(y.m.Procs[p].Local)
	out.proc.pair(int32(p), int32(q))
	out.state[p] = newBijection(size, size)
	if !out.states(p, y.m.Procs[p].Init, y.m.Procs[q].Init) || !out.follow() || !out.owners() {
		return nil
	}
	return out
}

// complete returns a mapping that takes every process to one, or nil if none is
// found; y may be nil.
func (y *symmetry) complete(tries *int) *symmetry {
	if y == nil {
		return nil
	}
	p := slices.Index(y.proc.to, -1)
	if p < 0 {
		if !y.whole() {
			return nil
		}
		return y
	}
	for i := range y.m.N {
		// Most often a process stays what it is.
		if q := (p + i) % y.m.N; y.proc.from[q] < 0 {
			if found := y.with(p, q, tries).complete(tries); found != nil {
				return found
			}
		}
	}
	return nil
}

// states maps a local state of process pid.
func (y *symmetry) states(pid int, s, t int32) bool {
	if s < 0 || t < 0 {
		return s == t && s != Binds
	}
	fresh, ok := y.state[pid].pair(s, t)
	if !fresh {
		return ok
	}
	l, k := &y.m.Procs[pid].Local[s], &y.m.Procs[y.proc.to[pid]].Local[t]
	faults := (l.Fault != nil) != (k.Fault != nil) || l.Fault != nil && l.Fault.Refused != k.Fault.Refused
	if faults || l.Section != k.Section || l.Mode != k.Mode || l.GaveUp != k.GaveUp || l.Decides != k.Decides || l.Kind != k.Kind || l.Passages != k.Passages ||
		l.Starts != k.Starts || l.Running != k.Running || Unlined(l.Mark) != Unlined(k.Mark) || len(l.Moves) != len(k.Moves) {
		return false
	}
	if l.Reg < 0 || k.Reg < 0 {
		return l.Reg == k.Reg
	}
	if !y.registers(l.Reg, k.Reg) {
		return false
	}
	if l.Decides { // what it decides stands where others have the value
		for k := range l.Moves {
			if !y.values(l.Reg, int32(k), int32(k)) {
				return false
			}
		}
	}
	y.accesses[l.Reg] = append(y.accesses[l.Reg], visit{pid, s, -1})
	for v, to := range y.value[l.Reg].to {
		if to >= 0 {
			y.next = append(y.next, visit{pid, s, int32(v)})
		}
	}
	return true
}

// registers maps a register, and its initial value.
func (y *symmetry) registers(r, q int32) bool {
	fresh, ok := y.register.pair(r, q)
	if !fresh {
		return ok
	}
	size := len(y.m.Regs[r].Values)
	if len(y.m.Regs[q].Values) != size {
		return false
	}
	y.value[r] = newBijection(size, size)
	for v := range int32(size) {
		if y.m.Regs[r].Decided && !y.values(r, v, v) {
			return false
		}
	}
	return y.values(r, 0, y.initial[q])
}

// values maps a value of a register that is mapped.
func (y *symmetry) values(r, v, w int32) bool {
	if v < 0 || w < 0 {
		return v == w
	}
	fresh, ok := y.value[r].pair(v, w)
	if fresh {
		for _, a := range y.accesses[r] {
			y.next = append(y.next, visit{a.pid, a.state, v})
		}
	}
	return ok
}

// follow compares the steps in the local states that are mapped, for the values
// that are, and maps what they lead to.
func (y *symmetry) follow() bool {
	for len(y.next) > 0 {
		at := y.next[len(y.next)-1]
		y.next = y.next[:len(y.next)-1]
		l := &y.m.Procs[at.pid].Local[at.state]
		k := &y.m.Procs[y.proc.to[at.pid]].Local[y.state[at.pid].to[at.state]]
		w := y.value[l.Reg].to[at.v]
		if int(at.v) >= len(l.Moves) || int(w) >= len(k.Moves) {
			return false
		}
		m, n := l.Moves[at.v], k.Moves[w]
		if !y.states(at.pid, m.State, n.State) || !y.values(l.Reg, m.Value, n.Value) {
			return false
		}
	}
	return true
}

// owners reports whether registers are taken from the processes whose they are to
// those that these are taken to, as far as it is known.
func (y *symmetry) owners() bool {
	for r, q := range y.register.to {
		if q < 0 {
			continue
		}
		from, to := y.owner(int32(r)), y.owner(q)
		if from < 0 || to < 0 {
			if from != to {
				return false
			}
			continue
		}
		if image := y.proc.to[from]; image >= 0 && int(image) != to {
			return false
		}
	}
	return true
}

// whole reports whether every value of the registers that are mapped is: a register
// that is not atomic may be found to hold any of them.
func (y *symmetry) whole() bool {
	for _, v := range y.value {
		if slices.Contains(v.to, -1) {
			return false
		}
	}
	return true
}
