package execution

import (
	"fmt"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
)

// overlapping is an execution on registers that are not atomic. An actor stands for a
// process and for one of the outcomes that its step may have. The registers of the
// compiled lock are atomic: it makes a store where the write ends.
type overlapping struct {
	*Simulation
	sys        *explore.Weak
	seen       automaton.Seen
	state, out []uint64
}

func newOverlapping(sys *explore.Weak, learned *model.Lock, sim *Simulation) *overlapping {
	o := &overlapping{Simulation: sim, sys: sys, seen: learned.Seen, state: make([]uint64, sys.Words()), out: make([]uint64, sys.Words()*sys.Actors())}
	sys.Initial(o.state)
	return o
}

// Stands reports whether an actor has no step to make.
func (o *overlapping) Stands(actor int) bool {
	enabled, _ := o.sys.Expand(o.state, o.out)
	return enabled>>actor&1 == 0
}

// Take makes an actor's step.
func (o *overlapping) Take(actor int) (*Taken, error) {
	if o.Stands(actor) {
		return nil, fmt.Errorf("actor %d has no step to make", actor)
	}
	pid := NotAtomic{Sys: o.sys}.Actors().Of(actor).Pid
	before := slices.Clone(o.state)
	copy(o.state, o.out[actor*len(o.state):])
	l := o.sys.Local(before, pid)
	t := &Taken{Pid: pid, state: o.Next(pid), From: o.States[pid], before: l.Section, after: o.sys.Local(o.state, pid).Section}
	if l.Starts {
		t.Kind = Begins
		t.shown = &[2]interp.Value{o.value(l.Reg, o.sys.Regs[l.Reg].Of(before)), o.value(l.Reg, o.sys.Stores(before, pid))}
		return t, nil
	}
	stored := o.Values[l.Reg]
	t.Seen = InLearner(o.seen[l.Reg], o.sys.Sees(before, actor))
	move, err := o.Learner.Step(pid, t.From, t.Seen)
	if err != nil {
		return nil, err
	}
	if err := o.move(t, before, l); err != nil {
		return nil, err
	}
	values := o.Learner.Regs[l.Reg].Values
	t.Found, t.Left, t.Next = values[t.Seen], values[move.Value], o.Next(pid)
	switch left := o.Values[l.Reg]; {
	case t.Seen != stored:
		t.Injected = values[t.Seen]
	case left != move.Value:
		t.Injected = values[left]
	}
	return t, nil
}

// move makes the step of a process in a state, which begins no write.
func (o *overlapping) move(t *Taken, before []uint64, l *automaton.Local) error {
	switch {
	case !o.sys.NotAtomic(before, t.Pid):
		return o.Simulation.move(t.Pid)
	case l.Running:
		t.Kind = ends
		left := o.sys.Regs[l.Reg].Of(o.state)
		t.shown = &[2]interp.Value{o.value(l.Reg, o.sys.Stores(before, t.Pid)), o.value(l.Reg, left)}
		if err := o.Simulation.move(t.Pid); err != nil {
			return err
		}
		o.Values[l.Reg] = InLearner(o.seen[l.Reg], left)
		return nil
	}
	t.Kind = loads
	var room [explore.MostActors]int32
	if may := o.sys.May(before, t.Pid, room[:0]); len(may) > 1 {
		for _, v := range may {
			t.may = append(t.may, o.value(l.Reg, v))
		}
	}
	stored := o.Values[l.Reg]
	o.Values[l.Reg] = t.Seen
	got := o.Learner.Regs[l.Reg].Values[t.Seen]
	t.shown = &[2]interp.Value{got, got}
	err := o.Simulation.move(t.Pid)
	o.Values[l.Reg] = stored
	return err
}

// value returns a value of a register by its number in the model.
func (o *overlapping) value(reg, number int32) interp.Value {
	return o.Learner.Regs[reg].Values[InLearner(o.seen[reg], number)]
}

// Local returns the local states of the processes. A process that has begun a write is in the
// section of that write.
func (o *overlapping) Local() (all []*interp.State) {
	for pid, st := range o.Simulation.Local() {
		at := *st
		at.Section = o.sys.Local(o.state, pid).Section
		all = append(all, &at)
	}
	return all
}

// InLearner returns the learner's number of a value of a model in which those values
// occur.
func InLearner(occur []bool, value int32) int32 {
	for v, occurs := range occur {
		if !occurs {
			continue
		}
		if value == 0 {
			return int32(v)
		}
		value--
	}
	panic("check: internal error: a value that does not occur")
}
