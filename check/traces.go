package check

import (
	"fmt"
	"reflect"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/trace"
)

// trace is the trace of a schedule.
func (x *explored) trace(property, end string, prefix, cycle []int) *trace.Trace {
	terms := x.memory.Terms()
	t := &trace.Trace{Property: property, Unclaimed: !x.owes(property), Origin: x.lock.Origin, N: x.n, Memory: terms.Memory, Unfenced: terms.Unfenced,
		RegisterModel: terms.Registers, Mixed: x.lock.Mixed, End: end, Cycle: -1}
	if len(cycle) > 0 {
		prefix = x.settled(prefix, cycle)
		t.Cycle = len(prefix)
	}
	t.Actors = slices.Concat(prefix, cycle)
	t.Steps, _ = x.run(t.Actors)
	return t
}

// settled returns a prefix of a lasso with as many rounds of its cycle as it takes
// until each is like the one before: the model has merged local states that do the
// same at different lines, and the first round may come to other lines than the
// next.
func (x *explored) settled(prefix, cycle []int) []int {
	for range mostRounds {
		steps, _ := x.run(slices.Concat(prefix, cycle, cycle))
		rounds := steps[len(prefix):]
		if reflect.DeepEqual(rounds[:len(cycle)], rounds[len(cycle):]) {
			break
		}
		prefix = slices.Concat(prefix, cycle)
	}
	return prefix
}

// mostRounds is how many rounds of a cycle may come to lines of their own.
const mostRounds = 8

// run runs a schedule and returns its steps, and the local states of the processes
// then.
func (x *explored) run(schedule []int) (steps []execution.Step, local []*interp.State) {
	run := x.begin()
	for _, actor := range schedule {
		step, err := execution.MakeStep(run, actor)
		if err != nil {
			panic(fmt.Sprintf("check: internal error: a trace cannot be run: %v", err))
		}
		steps = append(steps, step)
	}
	return steps, run.Local()
}

// after returns the local states of the processes after a schedule.
func (x *explored) after(schedule []int) (local []*interp.State) {
	_, local = x.run(schedule)
	return local
}

// lasso is the trace of an execution that ends in a cycle.
func (x *explored) lasso(property, end string, l *analyse.Lasso) *trace.Trace {
	prefix, cycle := x.space.Schedule(l)
	var slow, buffers []int // the bypass is that of the slowest
	for _, a := range x.space.Idle(prefix, cycle) {
		if a < x.n {
			slow = append(slow, a)
		} else {
			buffers = append(buffers, a-x.n)
		}
	}
	if len(buffers) > 0 {
		end += ", while the stores of " + processes(buffers) + " can stay in the buffer"
	}
	if len(slow) > 0 {
		end += ", while " + processes(slow) + " can stand still"
	}
	return x.trace(property, end, prefix, cycle)
}
