package report

import (
	"encoding/json"

	"shmbench/bench"
	"shmbench/check"
	"shmbench/internal/page/steps"
	"shmbench/stress"
)

// Spec is the specification of a lock, as list -json writes it.
type Spec struct{ bench.Specification }

// Check is the verdicts of check on a lock.
type Check struct {
	check.Report
	// Earlier versions wrote these in another form. The page does not show them.
	Seconds   json.RawMessage `json:"seconds"`
	Undecided json.RawMessage `json:"undecided"`

	executions []*steps.Execution
}

// Stress is the outcomes of a lock on real processors.
type Stress struct {
	stress.Report
	// Earlier versions wrote a number. The page does not show the numbers of processes.
	Procs json.RawMessage `json:"procs"`
}
