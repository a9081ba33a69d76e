// Package automaton learns each process of a lock as a finite automaton. It runs the code
// once for each local state and each result that an access can give. Then it makes the
// automata as small as possible.
package automaton

import (
	"fmt"
	"go/token"
	"slices"

	"shmbench/check/internal/interp"
)

// Unknown is a transition that has not been learned.
const Unknown = -1

// Register is a cell of shared memory with the values seen in it so far.
type Register struct {
	At     interp.Ptr
	Values []interp.Value // Values[0] is the initial one
	// Decided: it stands for decisions of processes, and holds any value at any time.
	Decided bool
	index   map[any]int32
	leads   func(v interp.Value) // is told of each new value
}

// Move is a transition: the next local state and the register's next value.
type Move struct{ State, Value int32 }

// Process is what has been learned of one process. Its local states are
// numbered in the order in which they were found; 0 is the initial one.
type Process struct {
	States []*interp.State
	Reg    []int32      // by state: the register that it accesses, or -1
	kinds  []AccessKind // by state
	moves  [][]Move
	byRes  []map[any]int32 // by state: the next state for a result
	pools  [][]int         // by state: where what its access shares gets its slots
	binds  [][]Bind        // by state: what becomes of it then
	holds  []uint64        // by state: the slots that it leads to
	index  map[string]int32
}

// Learner learns the automata of a lock's processes.
type Learner struct {
	M         *interp.Machine
	Regs      []*Register
	Procs     []*Process
	MaxStates int // local states of one process
	maxBytes  int64
	bytes     int64
	heap      Heap
	shares    bool // an access shares what its process has allocated
	index     map[interp.Ptr]int32
	key       []byte // of the last state that was looked up
}

// ErrTooLarge says that a process has too many local states, or that all that was
// learned takes too much memory.
type ErrTooLarge struct {
	Process, States int
	Bytes           int64 // 0 if the states are too many; otherwise they are those of all processes
	Where           string
}

func (e *ErrTooLarge) Error() string {
	if e.Bytes > 0 {
		return fmt.Sprintf("%s: the %d local states that were learned of all processes take more than %d KB of memory: does a counter grow?",
			e.Where, e.States, e.Bytes>>10)
	}
	return fmt.Sprintf("%s: process %d has more than %d local states: does a counter grow?", e.Where, e.Process, e.States)
}

// New returns a learner that knows only the initial states. The automata may take maxBytes of
// memory at most, if that is not 0.
func New(m *interp.Machine, maxStates int, maxBytes int64) (*Learner, error) {
	return interp.Restart(func() (*Learner, error) {
		l := &Learner{M: m, MaxStates: maxStates, maxBytes: maxBytes, index: map[interp.Ptr]int32{}}
		return l, l.start()
	})
}

func (l *Learner) start() error {
	for p := range l.M.N {
		l.Procs = append(l.Procs, &Process{index: map[string]int32{}})
		st, err := l.M.Start(p)
		if err != nil {
			return err
		}
		if _, err := l.state(p, st); err != nil {
			return err
		}
	}
	return nil
}

// state numbers a local state.
func (l *Learner) state(pid int, st *interp.State) (int32, error) {
	p := l.Procs[pid]
	l.key = st.AppendKey(l.key[:0])
	if s, ok := p.index[string(l.key)]; ok {
		return s, nil
	}
	s := int32(len(p.States))
	l.bytes += int64(len(l.key) + st.Bytes())
	switch {
	case len(p.States) >= l.MaxStates:
		return 0, &ErrTooLarge{Process: pid, States: l.MaxStates, Where: l.M.Where(st)}
	case l.full():
		return 0, l.tooMuch(st)
	}
	reg := int32(-1)
	if st.Access != nil {
		reg = l.register(st.Access.At)
	}
	p.index[string(l.key)] = s
	p.States = append(p.States, st)
	p.Reg = append(p.Reg, reg)
	p.kinds = append(p.kinds, Kind(st))
	p.moves = append(p.moves, nil)
	p.byRes = append(p.byRes, map[any]int32{})
	p.binds = append(p.binds, nil)
	p.holds = append(p.holds, l.M.Holds(st))
	pools := l.M.Publishes(pid, st)
	if p.pools = append(p.pools, pools); pools != nil {
		l.shares = true
		l.heap.refresh(l.M)
	}
	return s, nil
}

// Kind returns the kind of the access that a process makes in local state s.
func (p *Process) Kind(s int32) AccessKind { return p.kinds[s] }

// Places returns where in the source local states of a process are, in order.
func (l *Learner) Places(pid int, states []int32) (at []token.Pos) {
	for _, s := range states {
		pos, _ := l.M.Place(l.Procs[pid].States[s])
		at = append(at, pos)
	}
	slices.Sort(at)
	return at
}

// Recovering reports whether the next access of process pid in local state s is one of Recover.
func (l *Learner) Recovering(pid int, s int32) bool { return l.M.Recovering(l.Procs[pid].States[s]) }

func (l *Learner) tooMuch(at *interp.State) error {
	states := 0
	for _, p := range l.Procs {
		states += len(p.States)
	}
	return &ErrTooLarge{States: states, Bytes: l.maxBytes, Where: l.M.Where(at)}
}

// full reports whether what was learned takes more memory than it may.
func (l *Learner) full() bool { return l.maxBytes > 0 && l.bytes > l.maxBytes }

// register numbers a register. The zero address is that of the access that
// touches nothing, and has one value. That of what a process decides has all values
// from the beginning.
func (l *Learner) register(at interp.Ptr) int32 {
	if r, ok := l.index[at]; ok {
		return r
	}
	values := l.M.Choices(at)
	decided := values != nil
	switch {
	case decided:
	case at == (interp.Ptr{}):
		values = []interp.Value{nil}
	default:
		values = []interp.Value{l.M.Initial(at)}
	}
	r := int32(len(l.Regs))
	l.index[at] = r
	reg := &Register{At: at, Decided: decided, index: map[any]int32{}}
	l.Regs = append(l.Regs, reg)
	l.heap.register(l.M, at)
	reg.leads = func(v interp.Value) { l.heap.value(r, l.M.Leads(v)) }
	for _, v := range values {
		reg.value(v)
	}
	return r
}

func (r *Register) value(v interp.Value) int32 {
	i, ok := r.index[interp.Identity(v)]
	if !ok {
		i = int32(len(r.Values))
		r.Values = append(r.Values, v)
		r.index[interp.Identity(v)] = i
		r.leads(v)
	}
	return i
}

// Certain tells which values of a register occur whatever happens: the initial one,
// and all that can be decided on.
func (l *Learner) Certain(reg int) []bool {
	if l.Regs[reg].Decided {
		return slices.Repeat([]bool{true}, len(l.Regs[reg].Values))
	}
	return []bool{true}
}

// Step returns the transition of process pid from local state s when the
// register that it accesses holds its value number v. It must not be called
// for a state that accesses no register, nor where the access shares memory:
// then it is a step from the state that Bind gives.
func (l *Learner) Step(pid int, s, v int32) (Move, error) {
	p := l.Procs[pid]
	if moves := p.moves[s]; int(v) < len(moves) && moves[v].State != Unknown {
		return moves[v], nil
	}
	reg := l.Regs[p.Reg[s]]
	now, result := p.States[s].Access.Apply(reg.Values[v])
	key := interp.Identity(result)
	next, ok := p.byRes[s][key]
	if !ok {
		st, err := l.M.Resume(pid, p.States[s], result)
		if err != nil {
			return Move{}, err
		}
		if next, err = l.state(pid, st); err != nil {
			return Move{}, err
		}
		p.byRes[s][key] = next
		l.bytes += entryBytes
	}
	for int(v) >= len(p.moves[s]) {
		p.moves[s] = append(p.moves[s], Move{Unknown, Unknown})
		l.bytes += moveBytes
	}
	known := len(reg.Values)
	m := Move{next, reg.value(now)}
	l.bytes += int64(len(reg.Values)-known) * entryBytes
	if l.full() {
		return Move{}, l.tooMuch(p.States[s])
	}
	p.moves[s][v] = m
	return m, nil
}

const (
	moveBytes  = 8
	entryBytes = 100 // about what a value takes that is kept in a map
)

// many is how many values a cell has taken that seems to grow without bound.
const many = 32

// Forget assumes that nothing depends on the cells that take many values. Such a cell is a
// counter of statistics, or the state of a random number generator that decides only how long
// to pause. Forget reports whether that was not assumed before; then learning must begin
// again. If the assumption turns out to be wrong, learning begins again without it.
func (l *Learner) Forget() bool {
	var cells []interp.Ptr
	for _, r := range l.Regs {
		if len(r.Values) > many {
			cells = append(cells, r.At)
		}
	}
	for pid, p := range l.Procs {
		for i, at := range l.M.Private(pid) {
			values := map[any]bool{}
			for _, st := range p.States {
				if v := st.Private(i); v != nil {
					values[interp.Identity(v)] = true
				}
			}
			if len(values) > many {
				cells = append(cells, at)
			}
		}
	}
	return l.M.Forget(cells)
}

// Close learns every transition for every value that any process may write to
// the register, in whatever order the processes move. It gives up (false) when
// a register gets more than maxValues values, or after maxSteps transitions: then
// exploring tells which of them occur. So it does where processes share what they
// have allocated: the slots of that memory depend on all processes together.
func (l *Learner) Close(maxValues, maxSteps int) (bool, error) {
	steps := 0
	for changed := true; changed; {
		changed = false
		for pid, p := range l.Procs {
			for s := int32(0); int(s) < len(p.States); s++ {
				r := p.Reg[s]
				if r < 0 {
					continue
				}
				for v := int32(0); int(v) < len(l.Regs[r].Values); v++ {
					if int(v) < len(p.moves[s]) && p.moves[s][v].State != Unknown {
						continue
					}
					changed = true
					if steps++; l.shares || steps > maxSteps {
						return false, nil
					}
					if _, err := l.Step(pid, s, v); err != nil {
						return false, err
					}
					if len(l.Regs[r].Values) > maxValues {
						return false, nil
					}
				}
			}
		}
	}
	return true, nil
}
