package execution

import (
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
)

// Follower is a simulation of traces. The steps of a trace say which stores go into a buffer.
type Follower struct {
	*Simulation
	stores map[store]bool
}

// store is a local state of a process that stores.
type store struct {
	pid   int
	state int32
}

// NewFollower returns a simulation at the beginning of a trace.
func NewFollower(l *automaton.Learner) *Follower {
	f := &Follower{stores: map[store]bool{}}
	f.Simulation = Simulate(l, l.M.Names(), func(pid int, state int32) bool { return f.stores[store{pid, state}] })
	return f
}

// Crash lets processes crash. No store goes into a buffer then.
func (f *Follower) Crash(crashes explore.Crashes) {
	f.Simulation = SimulateCrashes(f.Learner, f.names, crashes)
}

// Step makes the step of the actor that a trace has next.
func (f *Follower) Step(want Step) (Step, error) {
	if st := f.Next(want.Process); want.Buffered && st.Access != nil && st.Access.Stores() {
		f.stores[store{want.Process, f.States[want.Process]}] = true
	}
	return MakeStep(f.Simulation, want.Actor(f.Actors()))
}
