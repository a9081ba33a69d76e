package check

import (
	"fmt"

	"shmbench/check/internal/interp"
)

// forecastWeak is forecast on registers that are not atomic. The registers of the
// compiled lock are: a store is made where it ends, and what a load returns that
// overlaps a store, or a store leaves that overlaps another, is given.
func (m *mirror) forecastWeak(schedule []byte) (*forecast, error) {
	o := newOverlapping(m.weak, simulate(m.model.Learner, m.names, nil))
	f := &forecast{schedule: schedule}
	started := make([]bool, m.n())
	for i, actor := range schedule {
		if !o.can(int(actor)) {
			continue
		}
		pid := int(actor) % m.n()
		l := m.weak.weak.Local(o.state, pid)
		if l.Starts {
			if _, err := o.step(int(actor)); err != nil {
				return nil, err
			}
			continue
		}
		if !started[pid] {
			started[pid] = true
			if err := m.start(f, pid); err != nil {
				return nil, err
			}
		}
		from, st, stored := o.states[pid], o.next(pid), o.values[l.Reg]
		sees := inLearner(m.model.Seen[l.Reg], m.weak.weak.Sees(o.state, int(actor)))
		move, err := o.l.Step(pid, from, sees)
		if err != nil {
			return nil, err
		}
		if _, err := o.step(int(actor)); err != nil {
			return nil, err
		}
		reg := o.l.Regs[l.Reg].Values
		e := expected{step: i + 1, pid: pid, access: st.Access, before: reg[sees], after: reg[move.Value]}
		switch left := o.values[l.Reg]; {
		case sees != stored:
			e.given, err = bitsOf(reg[sees])
		case left != move.Value:
			e.given, err = bitsOf(reg[left])
		}
		if err != nil {
			return nil, err
		}
		if st.Access.Op != interp.Pass {
			f.events = append(f.events, e)
		}
		if err := m.follow(f, i+1, transition{pid, from, sees}); err != nil {
			return nil, err
		}
		if fault := o.next(pid).Fault; fault != nil {
			if fault.Refused {
				return nil, errBeyond
			}
			f.fault, f.pid = fault, pid
			break
		}
		f.comes(pid, st.Access, o.next(pid))
	}
	return f, nil
}

// bitsOf returns what is given to the compiled code.
func bitsOf(v interp.Value) (*uint64, error) {
	n, ok := v.(interp.Num)
	if !ok {
		return nil, &outOfHand{"a register that is not atomic holds what is no number"}
	}
	bits := uint64(n)
	return &bits, nil
}

// can reports whether an actor has a step to make.
func (o *overlapping) can(actor int) bool {
	enabled, _ := o.x.weak.Expand(o.state, o.out)
	return enabled>>actor&1 != 0
}

// describeWeak says what an event of a forecast is.
func (m *mirror) describeWeak(f *forecast, e expected) string {
	var step Step
	o := newOverlapping(m.weak, simulate(m.model.Learner, m.names, nil))
	for _, actor := range f.schedule[:e.step] {
		if o.can(int(actor)) {
			step, _ = o.step(int(actor))
		}
	}
	return fmt.Sprintf("%s:%d, %s", step.File, step.Line, step.what())
}
