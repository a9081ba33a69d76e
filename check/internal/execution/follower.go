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

// NewFollower returns a simulation at the beginning of a trace. If processes crash, no store goes
// into a buffer; crashes is nil if they do not.
func NewFollower(l *automaton.Learner, crashes *explore.Crashes) *Follower {
	f := &Follower{stores: map[store]bool{}}
	if crashes != nil {
		f.Simulation = SimulateCrashes(l, l.M.Names(), *crashes)
		return f
	}
	f.Simulation = Simulate(l, l.M.Names(), func(pid int, state int32) bool { return f.stores[store{pid, state}] })
	return f
}

// Step makes the step of the actor that a trace has next.
func (f *Follower) Step(want Step) (Step, error) {
	if st := f.Next(want.Process); want.Buffered && st.Access != nil && st.Access.Stores() {
		f.stores[store{want.Process, f.States[want.Process]}] = true
	}
	return MakeStep(f.Simulation, want.Actor(f.Actors()))
}
