package check

import (
	"fmt"
	"reflect"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/compiled"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/trace"
)

// traceOf is the trace of a schedule.
func traceOf(x *explored.Lock, property, end string, prefix, cycle []int) *trace.Trace {
	terms := x.Memory.Terms()
	t := &trace.Trace{Property: property, Unclaimed: !owes(x, property), Origin: x.Source.Origin, N: x.N, Memory: terms.Memory, Unfenced: terms.Unfenced,
		RegisterModel: terms.Registers, Mixed: x.Source.Mixed, End: end, Cycle: -1}
	if c := x.Source.Crashes; c != nil {
		t.Crashes = c.String()
	}
	if len(cycle) > 0 {
		prefix = settled(x, prefix, cycle)
		t.Cycle = len(prefix)
	}
	t.Actors = slices.Concat(prefix, cycle)
	t.Steps, _ = runAlong(x, t.Actors)
	return t
}

// settled returns a prefix of a lasso with as many rounds of its cycle as it takes
// until each is like the one before: the model has merged local states that do the
// same at different lines, and the first round may come to other lines than the
// next.
func settled(x *explored.Lock, prefix, cycle []int) []int {
	for range mostRounds {
		steps, _ := runAlong(x, slices.Concat(prefix, cycle, cycle))
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

// runAlong runs a schedule and returns its steps, and the local states of the processes
// then.
func runAlong(x *explored.Lock, schedule []int) (steps []execution.Step, local []*interp.State) {
	run := x.Begin()
	for _, actor := range schedule {
		step, err := execution.MakeStep(run, actor)
		if err != nil {
			panic(fmt.Sprintf("check: internal error: a trace cannot be run: %v", err))
		}
		steps = append(steps, step)
	}
	return steps, run.Local()
}

// localAfter returns the local states of the processes after a schedule.
func localAfter(x *explored.Lock, schedule []int) (local []*interp.State) {
	_, local = runAlong(x, schedule)
	return local
}

// lassoOf is the trace of an execution that ends in a cycle.
func lassoOf(x *explored.Lock, property, end string, l *analyse.Lasso) *trace.Trace {
	prefix, cycle := x.Space.Schedule(l)
	var slow, buffers []int // the bypass is that of the slowest
	for _, a := range x.Space.Idle(prefix, cycle) {
		if a < x.N {
			slow = append(slow, a)
		} else {
			buffers = append(buffers, a-x.N)
		}
	}
	if len(buffers) > 0 {
		end += ", while the stores of " + processes(buffers) + " can stay in the buffer"
	}
	if len(slow) > 0 {
		end += ", while " + processes(slow) + " can stand still"
	}
	return traceOf(x, property, end, prefix, cycle)
}

// unless is the verdict on a property, given whether a violation was, or was not,
// found in what has been visited.
func unless(x *explored.Lock, violated bool) Verdict {
	switch {
	case violated:
		return Violated
	case x.Exhausted():
		return within(x.Learned.Passages, x.Memory.Terms())
	}
	return Unknown
}

// planOf is what is run on the compiled code: traces, every transition that can be taken,
// and random schedules with so many accesses.
func planOf(x *explored.Lock, traces []*trace.Trace, accesses int) compiled.Plan {
	p := compiled.Plan{Stopped: x.Stopped != nil}
	for _, t := range traces {
		p.Traces = append(p.Traces, t.Schedule())
	}
	if p.Stopped { // the lock may have no model
		return p
	}
	p.Actors, p.Tries, p.Accesses = x.Memory.Actors().Count, 1, accesses
	if x.Exhausted() {
		p.Transitions = x.Transitions
	}
	if x.Source.Mixed || x.Memory.Terms().Memory == "tso" { // most actors have nothing to decide, or to flush
		p.Tries = compiled.BufferedTries
	}
	return p
}
