package report

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"maps"
	"slices"

	"shmbench/check"
	"shmbench/check/lockstep"
	"shmbench/internal/document"
	"shmbench/internal/stepper"
)

//go:embed steps.html
var stepsText string

//go:embed steps.js
var stepsJS string

// steps is the data of the viewer, as the page has it.
type steps struct {
	Executions []*Execution      `json:"executions"`
	Sources    map[string]string `json:"sources"`
}

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
		in.addExecution(executionOfRounds(&r))
		return true, true
	case document.Replay, document.Explore:
		var d played
		if json.Unmarshal(entry, &d) != nil {
			return false, true
		}
		return in.addPlayed(&d), true
	}
	return false, false
}

// shown are the executions without those of checks that show of a lock what one of
// fewer processes shows, too.
func (in *Input) shown() []*Execution {
	least := map[string]*Execution{}
	for _, c := range in.Checks {
		for _, e := range c.executions {
			if l := least[e.shows]; l == nil || len(e.Columns) < len(l.Columns) {
				least[e.shows] = e
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(in.Executions), func(e *Execution) bool { return least[e.shows] != nil && least[e.shows] != e })
}

// steps is of the functions what some execution shows.
func (in *Input) steps(of []*Execution) steps {
	s := steps{append([]*Execution{}, of...), map[string]string{}}
	for _, e := range of {
		e.Code = slices.DeleteFunc(slices.Clone(e.Code), func(place string) bool { return in.Sources[place] == "" })
		slices.SortFunc(e.Code, byNumber)
		for _, place := range e.Code {
			s.Sources[place] = in.Sources[place]
		}
	}
	return s
}

var stepsPage = template.Must(template.Must(template.New("steps").Parse(stepper.HTML + stepsText)).Parse(`{{template "alone" .}}`))

// WriteSteps writes a page that has only the executions.
func (in *Input) WriteSteps(w io.Writer) error {
	of := map[string]bool{}
	for _, e := range in.Executions {
		of[e.Of] = true
	}
	title := "executions"
	if len(of) == 1 {
		title = slices.Collect(maps.Keys(of))[0]
	}
	return stepsPage.Execute(w, struct {
		CSS        template.CSS
		JS         template.JS
		Title      string
		Executions []*Execution
		Steps      steps
	}{template.CSS(stepper.Colors + stepper.CSS), template.JS(stepper.JS + stepsJS), title, in.Executions, in.steps(in.Executions)})
}
