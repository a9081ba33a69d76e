package check

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/internal/edit"
	"shmbench/shm"
)

// Origin says where the lock of a trace comes from.
type Origin struct {
	Package     string `json:"package"`
	Constructor string `json:"constructor,omitempty"`
	List        string `json:"list,omitempty"`
	// Paths are what the list takes, if it takes any: where the processes are.
	Paths     [][]int `json:"paths,omitempty"`
	Algorithm string  `json:"algorithm,omitempty"`
	// Edited is how the lock is made, if it is a changed copy of another.
	Edited *edit.Lock `json:"edited,omitempty"`
}

// String is what the lock is called.
func (o Origin) String() string { return cmp.Or(o.Algorithm, o.Package+"."+o.Constructor) }

// Texts returns the functions that Code names.
func (t *Trace) Texts() map[string]string { return t.texts }

// Trace is an execution without a property: a shortest one for safety, one
// that ends in a cycle for liveness.
type Trace struct {
	Property string `json:"property"`
	// Unclaimed: no lock must have the property, and no card claims it for this
	// one. It lacks it, and violates nothing.
	Unclaimed bool   `json:"unclaimed,omitempty"`
	Origin    Origin `json:"origin"`
	N         int    `json:"n"`
	Memory    string `json:"memory"`
	// Unfenced: stores that have a fence go without.
	Unfenced bool `json:"unfenced,omitempty"`
	// RegisterModel is what registers are, if they are not atomic.
	RegisterModel shm.RegisterModel `json:"register_model,omitempty"`
	// Mixed: passages are made in all modes that the lock has.
	Mixed bool `json:"mixed,omitempty"`
	// End says what the execution shows.
	End    string `json:"end"`
	Steps  []Step `json:"steps"`
	actors []int  // whose steps they are, unless the trace was read from a file
	// Cycle is the index of the first step of the cycle, which goes on for
	// ever; -1 if there is none.
	Cycle int `json:"cycle"`
	// Code is as a Report's.
	Code  []string `json:"code,omitempty"`
	texts map[string]string
}

// flush is the Op of a step in which a store reaches memory.
const flush = "flush"

// Step is one access to shared memory by one process or, if its Op is "flush",
// the arrival in memory of the oldest store in the process's buffer. If its Op is
// "call" or "poll", nothing is accessed: the process decides which call it makes, or
// what its giveUp returns, and After has which.
type Step struct {
	Process int    `json:"process"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Label   string `json:"label,omitempty"` // of the pseudo-code line
	Op      string `json:"op"`
	Plain   bool   `json:"plain,omitempty"` // not through sync/atomic
	// Buffered: what is stored is in the process's store buffer until a flush.
	Buffered bool `json:"buffered,omitempty"`
	// Register is what is accessed, by its name in the source; Before and
	// After are its values around the step. After is what a store puts into the
	// buffer, where it is buffered, and what is written, where the beginning of a
	// write is a step of its own; where its end is, Before is that.
	Register string `json:"register,omitempty"`
	Before   string `json:"before"`
	After    string `json:"after"`
	// Outcome is the number of what a process decides.
	Outcome int `json:"outcome,omitempty"`
	// May has the values that a load may return that overlaps a write, the stored
	// one first.
	May []string `json:"may,omitempty"`
	// Section is the process's section after the step, and Turn what the step
	// does to it: "enters", "leaves", "is done", "fails"; empty if nothing.
	Section string `json:"section"`
	Turn    string `json:"turn,omitempty"`
}

// actor is the number of the actor whose step it is.
func (s Step) actor(all explore.Actors) int {
	if s.Op == flush {
		return all.Number(explore.Actor{Kind: explore.Buffer, Pid: s.Process})
	}
	return all.Number(explore.Actor{Pid: s.Process, Outcome: s.Outcome})
}

// schedule returns the actors of a trace that was explored.
func (t *Trace) schedule() []byte {
	schedule := make([]byte, len(t.actors))
	for i, actor := range t.actors {
		schedule[i] = byte(actor)
	}
	return schedule
}

// trace is the trace of a schedule.
func (x *explored) trace(property, end string, prefix, cycle []int) *Trace {
	terms := x.memory.terms()
	t := &Trace{Property: property, Unclaimed: !x.owes(property), Origin: x.lock.origin, N: x.n, Memory: terms.memory, Unfenced: terms.unfenced,
		RegisterModel: terms.registers, Mixed: x.lock.mixed, End: end, Cycle: -1}
	if len(cycle) > 0 {
		prefix = x.settled(prefix, cycle)
		t.Cycle = len(prefix)
	}
	t.actors = slices.Concat(prefix, cycle)
	t.Steps, _ = x.run(t.actors)
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
func (x *explored) run(schedule []int) (steps []Step, local []*interp.State) {
	run := x.begin()
	for _, actor := range schedule {
		step, err := step(run, actor)
		if err != nil {
			panic(fmt.Sprintf("check: internal error: a trace cannot be run: %v", err))
		}
		steps = append(steps, step)
	}
	return steps, run.local()
}

// after returns the local states of the processes after a schedule.
func (x *explored) after(schedule []int) (local []*interp.State) {
	_, local = x.run(schedule)
	return local
}

// lasso is the trace of an execution that ends in a cycle.
func (x *explored) lasso(property, end string, l *analyse.Lasso) *Trace {
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
