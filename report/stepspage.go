package report

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"shmbench/check"
	"shmbench/check/lockstep"
	"shmbench/internal/cli"
	"shmbench/internal/page/steps"
	"shmbench/internal/results/document"
)

// addSteps adds an entry of a document that has executions; known: the format is one.
func (in *Input) addSteps(format string, entry json.RawMessage) (ok, known bool) {
	switch format {
	case document.Trace:
		t := new(check.Trace)
		ok := json.Unmarshal(entry, t) == nil && in.addTraces([]*check.Trace{t})
		return ok, true
	case document.Lockstep:
		var r lockstep.Report
		if json.Unmarshal(entry, &r) != nil || !viewableRounds(&r) {
			return false, true
		}
		in.Executions.Add(executionOfRounds(&r))
		return true, true
	}
	return false, false
}

// shown are the executions without those of checks that show of a lock what one of
// fewer processes shows, too.
func (in *Input) shown() steps.List {
	least := map[string]*steps.Execution{}
	for _, c := range in.Checks {
		for _, e := range c.executions {
			if l := least[e.Shows]; l == nil || len(e.Columns) < len(l.Columns) {
				least[e.Shows] = e
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(in.Executions), func(e *steps.Execution) bool { return least[e.Shows] != nil && least[e.Shows] != e })
}

// WriteSteps writes a page that has only the executions.
func (in *Input) WriteSteps(w io.Writer) error { return in.Executions.Write(w, in.Sources) }

// WriteStepsOf writes the page of the executions that a document has, and names the file on
// diagnostics.
func WriteStepsOf(diagnostics io.Writer, path, format string, results any, sources map[string]string) error {
	var document bytes.Buffer
	if err := cli.WriteSourced(&document, format, true, results, sources); err != nil {
		return err
	}
	in := new(Input)
	in.Add(path, document.Bytes())
	return cli.WritePage(diagnostics, path, in.WriteSteps)
}
