package interp

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"shmbench/shm"
)

// Recover lets each passage begin with Recover, if the lock has it, and keeps all that New
// has built while processes crash. A process that has crashed is in the state that Start
// gives. Recover must be called before Build.
func (m *Machine) Recover() { m.methods.recovers, m.uses.persistent = true, true }

// Recovers reports whether passages begin with the lock's Recover.
func (m *Machine) Recovers() bool { return m.methods.recover != nil }

// recoverMethod returns the lock's method Recover(pid int), whose result is of an integer
// type, or nil.
func (m *Machine) recoverMethod() *ssa.Function {
	sel := types.NewMethodSet(m.Root.T).Lookup(m.Prog.Main.Pkg, "Recover")
	if sel == nil {
		return nil
	}
	sig := sel.Type().(*types.Signature)
	if sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 || !types.Identical(sig.Params().At(0).Type(), types.Typ[types.Int]) {
		return nil
	}
	if b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return nil
	}
	return m.Prog.Main.Prog.MethodValue(sel)
}

// Recovering reports whether the next access of a process is one of Recover.
func (m *Machine) Recovering(s *State) bool {
	return m.methods.recover != nil && len(s.frames) > 0 && s.frames[0].f.fn == m.methods.recover
}

// recovered goes on after Recover, which was called in a section, and returns the section
// in which the process is then.
func (r *run) recovered(section Section) Section {
	r.recovering = false
	r.needs(r.result)
	outcome, ok := r.result.(Num)
	if !ok {
		r.opaque(r.result)
	}
	if outcome > Num(shm.Finished) {
		r.fault(Fault{Outcome: true, Pos: r.m.methods.recover.Pos()}, "returns %v from Recover, which is none of shm.Enter, shm.Inside and shm.Finished", []any{r.m.returned(outcome)})
	}
	if section == Remainder && outcome != Num(shm.Enter) {
		r.refuse("returns %v from Recover without an access to shared memory", shm.Outcome(outcome))
	}
	switch outcome {
	case Num(shm.Enter):
		r.begin(r.m.methods.passages[0].enter)
		if section == Recovery {
			return Entry
		}
	case Num(shm.Inside):
		r.beginExit()
		return Critical
	case Num(shm.Finished):
		r.beginPassage()
		return Remainder
	}
	return section
}

// returned is the result of Recover, as a number of its type.
func (m *Machine) returned(n Num) any {
	if t := m.methods.recover.Signature.Results().At(0).Type().Underlying().(*types.Basic); t.Info()&types.IsUnsigned != 0 {
		return uint64(n)
	}
	return int64(n)
}
