package explore

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"shmbench/check/internal/automaton"
)

// Weak is a model with registers that are not atomic: safe or regular ones, as
// Lamport defines them ("On Interprocess Communication", Distributed Computing
// 1(2), 1986), for several writers. A store to such a register is two steps,
// its start and its finish. A load is one step, which a store that is
// running then overlaps.
//
// Safe: a load that overlaps a store returns any value of the register's range. A
// store that overlaps another one leaves any value of it at its finish.
//
// Regular: a load returns the value that is stored or one that is being stored.
// Stores take effect one after another, each between its start and its finish: a
// finish stores its value and marks the other stores to the register that are
// running. A marked store may also finish without an effect, as if it had taken effect
// just before the store that marked it.
//
// A step may have several outcomes. Outcome k of a step of process p is made by
// actor p + k*N.
type Weak struct {
	*SC
	safe     bool
	words    int
	outcomes int
	marks    []Field // by process: its store overlaps another, or is marked
	procs    [][]weakLocal
	cuts     []bool // by register: an execution ends where one would store what is not in its range
	// Cut is set when an execution was cut off.
	Cut     atomic.Bool
	mu      sync.Mutex
	missing []Store
	misses  atomic.Bool
}

// Store is an access of a process: its local state and what the register holds.
type Store struct {
	Pid          int
	Local, Value int32
}

// weakLocal is what a local state does to a register that is not atomic.
type weakLocal struct {
	weak  bool
	value int32 // that is being stored, in a local state in which a store is running or starts
	// A load leads to one local state for all values of one class.
	class []int32
	next  []int32 // by class
}

// MostActors is how many actors a system can have.
const MostActors = 64

// NewWeak returns the model, of automata whose stores to the given registers take
// two steps. Executions in which another value than those of the model is to be
// stored in one of the registers in cuts end there. It fails if a step could have
// too many outcomes.
func NewWeak(s *SC, safe bool, registers, cuts []bool) (*Weak, error) {
	w := &Weak{SC: s, safe: safe, outcomes: 1, cuts: cuts}
	p := s.free
	for range s.Model.N {
		w.marks = append(w.marks, p.field(2))
	}
	w.words = p.word + 1
	if !safe {
		w.outcomes = 2
	}
	for _, proc := range s.Model.Procs {
		locals := make([]weakLocal, len(proc.Local))
		for i := range proc.Local {
			l := &proc.Local[i]
			if l.Reg < 0 || int(l.Reg) >= len(registers) || !registers[l.Reg] {
				continue
			}
			locals[i].weak = true
			switch {
			case l.Starts:
				locals[i].value = proc.Local[l.Moves[0].State].Moves[0].Value
			case l.Running:
				locals[i].value = l.Moves[0].Value
				if safe {
					w.outcomes = max(w.outcomes, len(l.Moves))
				}
			default:
				locals[i].classify(l.Moves)
				w.outcomes = max(w.outcomes, len(locals[i].next))
			}
		}
		w.procs = append(w.procs, locals)
	}
	if w.Actors() > MostActors {
		return nil, &ErrOutcomes{w.outcomes, MostActors / s.Model.N}
	}
	return w, nil
}

// ErrOutcomes says that a step could have too many outcomes.
type ErrOutcomes struct{ Outcomes, Most int }

func (e *ErrOutcomes) Error() string {
	return fmt.Sprintf("an access that overlaps a write may have %d outcomes, and no more than %d are explored for so many processes", e.Outcomes, e.Most)
}

// classify numbers the values that lead to one local state.
func (l *weakLocal) classify(moves []automaton.Move) {
	for _, m := range moves {
		k := slices.Index(l.next, m.State)
		if k < 0 {
			k = len(l.next)
			l.next = append(l.next, m.State)
		}
		l.class = append(l.class, int32(k))
	}
}

// Cuts tells, by register, where an execution ends that would store a value which is not in
// the register's range.
func (w *Weak) Cuts() []bool { return w.cuts }

// Words returns the length of a state: that of the system, with the marks.
func (w *Weak) Words() int { return w.words }

// Actors returns the number of processes, times that of outcomes.
func (w *Weak) Actors() int { return w.Model.N * w.outcomes }

// Expand makes each process's next step, with each of its outcomes.
func (w *Weak) Expand(from, out []uint64) (enabled uint64, bad Bad) {
	for pid := range w.Model.N {
		if l := &w.local[pid][w.Procs[pid].Of(from)]; l.base != none {
			enabled |= w.step(from, out, pid, l)
		}
	}
	if w.misses.Load() {
		return 0, Stop
	}
	return enabled, w.judge(from)
}

// outcome is the state after outcome k of a step of a process, with its next
// local state set.
func (w *Weak) outcome(from, out []uint64, pid, k int, local int32) []uint64 {
	to := out[(pid+k*w.Model.N)*w.words:][:w.words]
	copy(to, from)
	w.Procs[pid].set(to, local)
	return to
}

// step makes a process's next step and returns the actors that make its outcomes.
func (w *Weak) step(from, out []uint64, pid int, l *local) (enabled uint64) {
	n := w.Model.N
	s := w.Procs[pid].Of(from)
	own := &w.procs[pid][s]
	auto := &w.Model.Procs[pid].Local[s]
	stored := l.reg.Of(from)
	switch {
	case !own.weak:
		m := auto.Moves[stored]
		if m.Value == automaton.Unknown {
			w.unknown(Store{pid, s, stored}, l.register)
			return 0
		}
		w.Regs[l.register].set(w.outcome(from, out, pid, 0, m.State), m.Value)
		return 1 << pid
	case auto.Starts:
		if own.value == automaton.Unknown {
			w.unknown(Store{pid, auto.Moves[0].State, 0}, l.register)
			return 0
		}
		to := w.outcome(from, out, pid, 0, auto.Moves[stored].State)
		if w.safe {
			for q := range n {
				if q != pid && w.running(from, q, l.register) {
					w.marks[q].set(to, 1)
					w.marks[pid].set(to, 1)
				}
			}
		}
		return 1 << pid
	case auto.Running && w.safe && w.marks[pid].Of(from) != 0:
		for v, m := range auto.Moves {
			to := w.outcome(from, out, pid, v, m.State)
			w.Regs[l.register].set(to, int32(v))
			w.marks[pid].set(to, 0)
			enabled |= 1 << (pid + v*n)
		}
		return enabled
	case auto.Running:
		to := w.outcome(from, out, pid, 0, auto.Moves[0].State)
		w.Regs[l.register].set(to, own.value)
		w.marks[pid].set(to, 0)
		if w.safe {
			return 1 << pid
		}
		for q := range n {
			if q != pid && w.running(from, q, l.register) {
				w.marks[q].set(to, 1)
			}
		}
		if w.marks[pid].Of(from) == 0 {
			return 1 << pid
		}
		w.marks[pid].set(w.outcome(from, out, pid, 1, auto.Moves[0].State), 0)
		return 1<<pid | 1<<(pid+n)
	}
	var may [MostActors]int32
	for _, v := range w.May(from, pid, may[:0]) {
		k := own.class[v]
		w.outcome(from, out, pid, int(k), own.next[k])
		enabled |= 1 << (pid + int(k)*n)
	}
	return enabled
}

// unknown notes that a value would be stored that is not in the register's range.
func (w *Weak) unknown(by Store, reg int32) {
	if w.cuts[reg] {
		w.Cut.Store(true)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.missing = append(w.missing, by)
	w.misses.Store(true)
}

// Missing returns the accesses that would store a value which the model does not
// know, and which is not cut off; exploration has ended at them.
func (w *Weak) Missing() []Store {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.missing
}

// running reports whether a process has a store to a register running.
func (w *Weak) running(s []uint64, pid int, reg int32) bool {
	l := &w.Model.Procs[pid].Local[w.Procs[pid].Of(s)]
	return l.Running && l.Reg == reg
}

// May appends to an empty list the values that the next access of a process may return. The
// access is a load of a register that is not atomic. The stored value is the first.
func (w *Weak) May(s []uint64, pid int, may []int32) []int32 {
	l := w.Local(s, pid)
	may = append(may, w.Regs[l.Reg].Of(s))
	for q := range w.Model.N {
		if !w.running(s, q, l.Reg) {
			continue
		}
		if w.safe {
			for v := range int32(len(l.Moves)) {
				if v != may[0] {
					may = append(may, v)
				}
			}
			return may
		}
		if v := w.procs[q][w.Procs[q].Of(s)].value; !slices.Contains(may, v) {
			may = append(may, v)
		}
	}
	return may
}

// Sees returns the value that the next access of an actor finds: of a load, what
// it returns in the outcome that the actor stands for.
func (w *Weak) Sees(s []uint64, actor int) int32 {
	pid, k := actor%w.Model.N, actor/w.Model.N
	class := w.procs[pid][w.Procs[pid].Of(s)].class
	if class == nil {
		return w.Regs[w.Local(s, pid).Reg].Of(s)
	}
	var buf [MostActors]int32
	for _, v := range w.May(s, pid, buf[:0]) {
		if class[v] == int32(k) {
			return v
		}
	}
	panic("explore: internal error: an outcome that a load cannot have")
}

// Stores returns the value that a process writes to a register that is not atomic. The
// process is about to start the store or has started it.
func (w *Weak) Stores(s []uint64, pid int) int32 { return w.procs[pid][w.Procs[pid].Of(s)].value }

// NotAtomic reports whether the next step of a process is on a register that is
// not atomic.
func (w *Weak) NotAtomic(s []uint64, pid int) bool { return w.procs[pid][w.Procs[pid].Of(s)].weak }

// CutOff reports whether an execution ends because a process would store a value
// that is not in the register's range.
func (w *Weak) CutOff(s []uint64, pid int) bool {
	l := w.Local(s, pid)
	if l.Reg < 0 || l.Running || !w.cuts[l.Reg] {
		return false
	}
	if own := &w.procs[pid][w.Procs[pid].Of(s)]; own.weak {
		return l.Starts && own.value == automaton.Unknown
	}
	return l.Moves[w.Regs[l.Reg].Of(s)].Value == automaton.Unknown
}

// Draws reports whether the outcome of a process's next step is drawn, rather than
// which of several moments it takes effect at.
func (w *Weak) Draws(s []uint64, pid int) bool { return w.safe || !w.Local(s, pid).Running }
