package check

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
	*simulation
	sys        *explore.Weak
	seen       automaton.Seen
	state, out []uint64
}

func newOverlapping(sys *explore.Weak, learned *model.Lock, sim *simulation) *overlapping {
	o := &overlapping{simulation: sim, sys: sys, seen: learned.Seen, state: make([]uint64, sys.Words()), out: make([]uint64, sys.Words()*sys.Actors())}
	sys.Initial(o.state)
	return o
}

// stands reports whether an actor has no step to make.
func (o *overlapping) stands(actor int) bool {
	enabled, _ := o.sys.Expand(o.state, o.out)
	return enabled>>actor&1 == 0
}

// take makes an actor's step.
func (o *overlapping) take(actor int) (*taken, error) {
	if o.stands(actor) {
		return nil, fmt.Errorf("actor %d has no step to make", actor)
	}
	pid := notAtomic{sys: o.sys}.actors().Of(actor).Pid
	before := slices.Clone(o.state)
	copy(o.state, o.out[actor*len(o.state):])
	l := o.sys.Local(before, pid)
	t := &taken{pid: pid, state: o.next(pid), from: o.states[pid], before: l.Section, after: o.sys.Local(o.state, pid).Section}
	if l.Starts {
		t.kind = begins
		t.shown = &[2]interp.Value{o.value(l.Reg, o.sys.Regs[l.Reg].Of(before)), o.value(l.Reg, o.sys.Stores(before, pid))}
		return t, nil
	}
	stored := o.values[l.Reg]
	t.seen = inLearner(o.seen[l.Reg], o.sys.Sees(before, actor))
	move, err := o.l.Step(pid, t.from, t.seen)
	if err != nil {
		return nil, err
	}
	if err := o.move(t, before, l); err != nil {
		return nil, err
	}
	values := o.l.Regs[l.Reg].Values
	t.found, t.left, t.next = values[t.seen], values[move.Value], o.next(pid)
	switch left := o.values[l.Reg]; {
	case t.seen != stored:
		t.given = values[t.seen]
	case left != move.Value:
		t.given = values[left]
	}
	return t, nil
}

// move makes the step of a process in a state, which begins no write.
func (o *overlapping) move(t *taken, before []uint64, l *automaton.Local) error {
	switch {
	case !o.sys.NotAtomic(before, t.pid):
		return o.simulation.move(t.pid)
	case l.Running:
		t.kind = ends
		left := o.sys.Regs[l.Reg].Of(o.state)
		t.shown = &[2]interp.Value{o.value(l.Reg, o.sys.Stores(before, t.pid)), o.value(l.Reg, left)}
		if err := o.simulation.move(t.pid); err != nil {
			return err
		}
		o.values[l.Reg] = inLearner(o.seen[l.Reg], left)
		return nil
	}
	t.kind = loads
	var room [explore.MostActors]int32
	if may := o.sys.May(before, t.pid, room[:0]); len(may) > 1 {
		for _, v := range may {
			t.may = append(t.may, o.value(l.Reg, v))
		}
	}
	stored := o.values[l.Reg]
	o.values[l.Reg] = t.seen
	got := o.l.Regs[l.Reg].Values[t.seen]
	t.shown = &[2]interp.Value{got, got}
	err := o.simulation.move(t.pid)
	o.values[l.Reg] = stored
	return err
}

// value returns a value of a register by its number in the model.
func (o *overlapping) value(reg, number int32) interp.Value {
	return o.l.Regs[reg].Values[inLearner(o.seen[reg], number)]
}

// local returns the local states of the processes, in the sections in which those are
// that have begun to write.
func (o *overlapping) local() (all []*interp.State) {
	for pid, st := range o.simulation.local() {
		at := *st
		at.Section = o.sys.Local(o.state, pid).Section
		all = append(all, &at)
	}
	return all
}
