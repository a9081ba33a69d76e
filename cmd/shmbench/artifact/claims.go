// Package artifact writes what a reviewer of a paper on a lock reruns: claims, comparisons, tables and
// plots, made of the documents of check and of files of results.
package artifact

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"shmbench/check"
)

// ReadClaims reads a document of check -json, without the executions that it has.
func ReadClaims(document []byte) ([]*check.Report, error) {
	var d struct{ Results []*check.Report }
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("the verdicts are no document of shmbench check: %w", err)
	}
	for _, r := range d.Results {
		r.Counterexamples, r.Witnesses = nil, nil
	}
	return d.Results, nil
}

// State is what the verdicts on a lock mean.
type State int

// The states: everything holds, something is violated, something is undecided.
const (
	Right State = iota
	Wrong
	Open
)

// StateOf returns the state of a lock for all n that were checked.
func StateOf(claims []*check.Report) State {
	state := Right
	for _, r := range claims {
		switch {
		case len(r.Violated()) > 0 || len(r.Disagreements) > 0:
			return Wrong
		case len(r.Undecided) > 0 || r.Refused != "":
			state = Open
		}
	}
	return state
}

// name names a lock, and the modes of its passages.
func name(r *check.Report) string {
	if r.Modes != nil {
		return r.Algorithm + " (all modes)"
	}
	return r.Algorithm
}

// verdicts are what must be the same in a rerun, by the names of their fields.
var verdicts = []string{"Refused", "Undecided", "Exhausted", "MutualExclusion", "DeadlockFreedom", "StarvationFreedom", "FCFS", "DoorwayWaitFree", "ExitProgress",
	"ExitWaitFree", "DataRaceFreedom", "PanicFreedom", "Invariants", "Modes", "Starved", "Bypass", "Class", "Registers", "RMR", "Costs", "Disagreements"}

// Differences says which verdicts and bounds are other ones than before.
func Differences(before, after []*check.Report) (says []string) {
	for _, b := range before {
		of := fmt.Sprintf("%s, n = %d", name(b), b.N)
		i := slices.IndexFunc(after, func(a *check.Report) bool { return name(a) == name(b) && a.N == b.N })
		if i < 0 {
			says = append(says, of+": there is no verdict any more")
			continue
		}
		was, is := reflect.ValueOf(*b), reflect.ValueOf(*after[i])
		for _, v := range verdicts {
			field, _ := was.Type().FieldByName(v)
			if x, y := written(was.FieldByIndex(field.Index)), written(is.FieldByIndex(field.Index)); x != y {
				key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				says = append(says, fmt.Sprintf("%s: %s was %s, and is %s", of, key, x, y))
			}
		}
	}
	return says
}

func written(v reflect.Value) string {
	text, _ := json.Marshal(v.Interface())
	return string(text)
}
