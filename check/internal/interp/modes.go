package interp

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"shmbench/shm"
)

// modeMethods is a mode of passages, and the methods by which they begin and end.
type modeMethods struct {
	mode         shm.Mode
	enter, leave *ssa.Function
}

// methods are those of a lock by which passages begin and end.
type methods struct {
	mixed     bool // passages are made in all modes
	modes     []shm.Mode
	passages  []modeMethods // in which passages are made
	notCalled []string
	// recovers: passages begin with Recover, which is nil if the lock has none.
	recovers bool
	recover  *ssa.Function
}

// Mix lets processes make passages in all modes that the lock has. Otherwise they
// lock and unlock. It must be called before Build.
func (m *Machine) Mix() { m.methods.mixed = true }

// Modes returns the modes that the lock has, Exclusive first.
func (m *Machine) Modes() []shm.Mode { return m.methods.modes }

// find finds the modes of the lock, and the methods for the modes of passages.
func (m *Machine) find() error {
	m.methods.modes, m.methods.notCalled, m.methods.passages = nil, nil, nil
	m.methods.recover = nil
	if m.methods.recovers {
		m.methods.recover = m.recoverMethod()
	}
	for _, mode := range []shm.Mode{shm.Exclusive, shm.Shared, shm.Try, shm.Until, shm.TryShared} {
		enter, leave := mode.Calls()
		p := modeMethods{mode, m.method(enter, mode), m.method(leave, shm.Exclusive)}
		switch {
		case p.enter == nil || p.leave == nil:
			if mode == shm.Exclusive {
				return m.noMethod(missing(p, enter, leave))
			}
			m.unmake(p, enter, leave)
			continue
		case mode == shm.TryShared && !slices.Contains(m.methods.modes, shm.Shared):
			m.methods.notCalled = append(m.methods.notCalled, enter+" needs RLock(pid int)")
			continue
		}
		m.methods.modes = append(m.methods.modes, mode)
		if m.methods.mixed || mode == shm.Exclusive {
			m.methods.passages = append(m.methods.passages, p)
		}
	}
	return nil
}

// unmake notes why the lock does not have a mode, though it has a method with the name
// of the one that enters.
func (m *Machine) unmake(p modeMethods, enter, leave string) {
	switch sel := types.NewMethodSet(m.Root.T).Lookup(m.Prog.Main.Pkg, enter); {
	case sel == nil:
	case p.enter == nil:
		m.methods.notCalled = append(m.methods.notCalled, fmt.Sprintf("%s is a %s; a %s is", enter, types.TypeString(sel.Type(), nil), signatures[p.mode]))
	default:
		m.methods.notCalled = append(m.methods.notCalled, enter+" needs "+leave+"(pid int)")
	}
}

// signatures are those of the methods that enter.
var signatures = map[shm.Mode]string{
	shm.Shared: "func(pid int)", shm.Try: "func(pid int) bool",
	shm.Until: "func(pid int, giveUp func() bool) bool", shm.TryShared: "func(pid int) bool",
}

// NotCalled names the methods by which no passages begin though their names say so, and
// why.
func (m *Machine) NotCalled() []string { return m.methods.notCalled }

// missing is the name of the method that a mode lacks.
func missing(p modeMethods, enter, leave string) string {
	if p.enter == nil {
		return enter
	}
	return leave
}

// noMethod says that the lock has no method of this name, and what it has instead.
func (m *Machine) noMethod(name string) error {
	says := fmt.Sprintf("%s has no method %s(pid int)", m.Root.T, name)
	if sel := types.NewMethodSet(m.Root.T).Lookup(m.Prog.Main.Pkg, name); sel != nil {
		return fmt.Errorf("%s: its %s is a %s", says, name, sel.Type())
	}
	if pointer := types.NewPointer(m.Root.T); types.NewMethodSet(pointer).Lookup(m.Prog.Main.Pkg, name) != nil {
		return fmt.Errorf("%s, but %s has one: return a pointer", says, pointer)
	}
	return errors.New(says)
}

// method returns a method of the lock that takes a process id, and takes and gives
// besides what the call does by which a passage in the mode begins. It returns nil
// if there is none.
func (m *Machine) method(name string, mode shm.Mode) *ssa.Function {
	sel := types.NewMethodSet(m.Root.T).Lookup(m.Prog.Main.Pkg, name)
	if sel == nil {
		return nil
	}
	yes := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Bool]))
	params, results := []*types.Var{types.NewVar(0, nil, "", types.Typ[types.Int])}, (*types.Tuple)(nil)
	if mode.MayFail() {
		results = yes
	}
	if mode == shm.Until {
		params = append(params, types.NewVar(0, nil, "", types.NewSignatureType(nil, nil, nil, nil, yes, false)))
	}
	sig := sel.Type().(*types.Signature)
	if !types.Identical(types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), results, false),
		types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())) {
		return nil
	}
	return m.Prog.Main.Prog.MethodValue(sel)
}

// A decision of a process is an access to a register that no process writes and that
// holds the decision. A process decides in which mode it makes its next passage, by the
// place of the mode in passages, and whether it gives up.
var (
	whichMode = Ptr{Off: 1}
	whether   = Ptr{Off: 2}
)

// giveUp is the function that LockUntil is given.
var giveUp = &Closure{Fn: new(ssa.Function)}

// Decides reports whether nothing is accessed: the process decides by itself.
func (a *Access) Decides() bool { return a.Op == Call || a.Op == Poll }

// Silent reports whether nothing is accessed.
func (a *Access) Silent() bool { return a.Op == Pass || a.Decides() }

// Choices returns what a process may decide at an address, or nil if that is one
// of memory.
func (m *Machine) Choices(at Ptr) (choices []Value) {
	count := 0
	switch at {
	case whichMode:
		count = len(m.methods.passages)
	case whether:
		count = 2
	}
	for k := range count {
		choices = append(choices, Num(k))
	}
	return choices
}

// Outcomes returns how many outcomes a step of a process can have at most.
func (m *Machine) Outcomes() int {
	if len(m.methods.passages) == 1 {
		return 1
	}
	return max(len(m.methods.passages), 2)
}

// Called returns the method that a process calls that has decided on a mode.
func (m *Machine) Called(choice Value) *ssa.Function { return m.methods.passages[choice.(Num)].enter }

// beginPassage begins the next passage. If the lock has several modes, the process first
// decides on one.
func (r *run) beginPassage() {
	r.mode, r.gaveUp, r.failed = shm.Exclusive, false, false
	if len(r.m.methods.passages) > 1 {
		r.access = &Access{Op: Call, At: whichMode}
		return
	}
	if r.m.methods.recover != nil {
		r.recovering = true
		r.begin(r.m.methods.recover)
		return
	}
	r.begin(r.m.methods.passages[0].enter)
}

// enterMode begins a passage in the mode that the process has decided on.
func (r *run) enterMode(choice Value) {
	p := r.m.methods.passages[choice.(Num)]
	if r.mode = p.mode; p.mode == shm.Until {
		r.begin(p.enter, giveUp)
		return
	}
	r.begin(p.enter)
}

// beginExit begins the exit section of the passage.
func (r *run) beginExit() {
	r.gaveUp = false
	for _, p := range r.m.methods.passages {
		if p.mode == r.mode {
			r.begin(p.leave)
		}
	}
}

// poll calls giveUp.
func (r *run) poll() {
	if r.gaveUp {
		r.fail("calls giveUp again, which has returned true")
	}
	r.access = &Access{Op: Poll, At: whether}
}

// noteFailure notes whether the call that began the passage has returned that it failed.
func (r *run) noteFailure() {
	r.failed = false
	if !r.mode.MayFail() {
		return
	}
	r.needs(r.result)
	v, ok := r.result.(Num)
	if !ok {
		r.opaque(r.result)
	}
	r.failed = v == 0
}
