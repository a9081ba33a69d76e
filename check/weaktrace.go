package check

import (
	"fmt"
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// The steps of a write that overlaps what others do.
const (
	begin = "begin"
	end   = "end"
)

// overlapping runs a schedule on registers that are not atomic. An actor stands
// for a process and for one of the outcomes that its step may have.
type overlapping struct {
	*simulation
	x          *explored
	state, out []uint64
}

func newOverlapping(x *explored, sim *simulation) *overlapping {
	o := &overlapping{simulation: sim, x: x, state: make([]uint64, x.weak.Words()), out: make([]uint64, x.weak.Words()*x.weak.Actors())}
	x.weak.Initial(o.state)
	return o
}

func (o *overlapping) step(actor int) (Step, error) {
	if !o.can(actor) {
		return Step{}, fmt.Errorf("actor %d has no step to make", actor)
	}
	pid := actor % o.x.n
	before := slices.Clone(o.state)
	copy(o.state, o.out[actor*len(o.state):])
	l, after := o.x.weak.Local(before, pid), o.x.weak.Local(o.state, pid)
	st := o.next(pid)
	value := func(v int32) string {
		return o.names.Value(st.Access.At, o.l.Regs[l.Reg].Values[inLearner(o.x.model.Seen[l.Reg], v)])
	}
	var out Step
	switch reg := o.x.sys.Regs; {
	case !o.x.weak.NotAtomic(before, pid):
		step, err := o.simulation.step(pid)
		if err != nil {
			return Step{}, err
		}
		out = step
	case l.Starts:
		out = o.here(pid, begin)
		out.Before, out.After = value(reg[l.Reg].Of(before)), value(o.x.weak.Stores(before, pid))
	case l.Running:
		out = o.here(pid, end)
		out.Before, out.After = value(o.x.weak.Stores(before, pid)), value(reg[l.Reg].Of(o.state))
		if err := o.move(pid); err != nil {
			return Step{}, err
		}
		o.values[l.Reg] = inLearner(o.x.model.Seen[l.Reg], reg[l.Reg].Of(o.state))
	default:
		out = o.here(pid, "load")
		var buf [explore.MostActors]int32
		may := o.x.weak.May(before, pid, buf[:0])
		if len(may) > 1 {
			for _, v := range may {
				out.May = append(out.May, value(v))
			}
		}
		stored := o.values[l.Reg]
		got := o.x.weak.Sees(before, actor)
		o.values[l.Reg] = inLearner(o.x.model.Seen[l.Reg], got)
		err := o.move(pid)
		o.values[l.Reg] = stored
		if err != nil {
			return Step{}, err
		}
		out.Before, out.After = value(got), value(got)
	}
	out.Section, out.Turn = after.Section.String(), turn(l.Section, after.Section)
	return out, nil
}

// here is the beginning of the description of a process's next step.
func (o *overlapping) here(pid int, op string) Step {
	st := o.next(pid)
	out := o.place(pid, st)
	out.Op, out.Register = op, o.names.Cell(st.Access.At)
	return out
}

// sections returns the local states of the processes after a schedule, in the
// sections in which those are that have begun to write.
func (o *overlapping) sections() (local []*interp.State) {
	for pid := range o.x.n {
		st := *o.next(pid)
		st.Section = o.x.weak.Local(o.state, pid).Section
		local = append(local, &st)
	}
	return local
}
