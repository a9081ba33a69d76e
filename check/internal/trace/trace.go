// Package trace has executions that people read, write and run again. A Trace is a
// counterexample, or an execution that was asked for. It prints itself as a table, is
// read from a file, and runs on the compiled code. A Schedule is written by hand, as whose
// turn it is, and becomes a Trace when it is replayed.
package trace

import (
	"shmbench/check/internal/execution"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// Texts returns the functions that Code names.
func (t *Trace) Texts() map[string]string { return t.texts }

// Trace is an execution without a property: a shortest one for safety, one
// that ends in a cycle for liveness.
type Trace struct {
	Property string `json:"property"`
	// Unclaimed: no lock must have the property, and no specification claims it for this
	// one. It lacks it, and violates nothing.
	Unclaimed bool          `json:"unclaimed,omitempty"`
	Origin    source.Origin `json:"origin"`
	N         int           `json:"n"`
	Memory    string        `json:"memory"`
	// Unfenced: stores that have a fence go without.
	Unfenced bool `json:"unfenced,omitempty"`
	// RegisterModel is what registers are, if they are not atomic.
	RegisterModel shm.RegisterModel `json:"register_model,omitempty"`
	// Mixed: passages are made in all modes that the lock has.
	Mixed bool `json:"mixed,omitempty"`
	// Crashes is which crashes there are, as check.Crashes writes it; empty if there are none.
	Crashes string `json:"crashes,omitempty"`
	// Bound is the bound that the execution attains, if it is a witness and no counterexample:
	// then Property is empty. Value is the bound, -1 if there is none.
	Bound string `json:"bound,omitempty"`
	Value int    `json:"value,omitempty"`
	// Counted are the indexes of the steps that the bound counts.
	Counted []int `json:"counted,omitempty"`
	// End says what the execution shows.
	End   string           `json:"end"`
	Steps []execution.Step `json:"steps"`
	// Actors are whose steps they are, unless the trace was read from a file.
	Actors []int `json:"-"`
	// Cycle is the index of the first step of the cycle, which is repeated forever; -1 if
	// there is none.
	Cycle int `json:"cycle"`
	// Code is as a Report's.
	Code  []string `json:"code,omitempty"`
	texts map[string]string
}

// Schedule returns the actors of a trace that was explored.
func (t *Trace) Schedule() []byte {
	schedule := make([]byte, len(t.Actors))
	for i, actor := range t.Actors {
		schedule[i] = byte(actor)
	}
	return schedule
}
