package report

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"shmbench/check"
	"shmbench/internal/cli"
	"shmbench/internal/page/steps"
)

// says is the sentence above the execution: what goes wrong in it.
func says(t *check.Trace) string {
	switch {
	case t.Property == "" || t.End == "":
		return t.End
	case t.Unclaimed:
		return "What can happen, as the lock does not claim " + t.Property + ": " + t.End + "."
	}
	return "What goes wrong: " + t.End + "."
}

// textOf says what a step does.
func textOf(s check.Step) string {
	text := s.Effect("→")
	if s.Buffered {
		text += ", into the store buffer"
	}
	return text
}

func actOf(s check.Step) steps.Act {
	return steps.Act{By: s.Process, File: s.File, Line: s.Line, Label: s.Label, Text: textOf(s), Section: s.Section, Turn: s.Turn, Buffer: s.Op == check.Flush}
}

// named names a lock of a package by its constructor: "mylock/New" of ./mylock, and "New" of
// a path that ends in no name.
func named(o check.Origin) string {
	if name := path.Base(o.Package); !strings.HasPrefix(name, ".") {
		return name + "/" + o.Constructor
	}
	return o.Constructor
}

// viewable reports whether the viewer can show a trace.
func viewable(t *check.Trace) bool {
	return t.N > 0 && t.N <= steps.MostColumns && len(t.Steps) <= steps.MostSteps && t.Cycle >= -1 && t.Cycle < len(t.Steps) && (len(t.Steps) > 0 || t.Property != "") &&
		!slices.ContainsFunc(t.Steps, func(s check.Step) bool { return s.Process < 0 || s.Process >= t.N })
}

// executionOf is what the viewer shows of a trace.
func executionOf(t *check.Trace) *steps.Execution {
	name := cmp.Or(t.Origin.Algorithm, named(t.Origin))
	e := &steps.Execution{Of: name, Columns: steps.Columns(t.N, "process"), Cycle: t.Cycle, Kind: "Registers", Cells: []steps.Cell{}, Steps: []steps.Step{}, Code: t.Code, Says: says(t)}
	on := fmt.Sprintf("n = %d", t.N)
	if t.Memory == "tso" {
		e.Under, on = "Store buffers", on+", total store order"
	}
	if t.RegisterModel != "" {
		on += fmt.Sprintf(", %s registers", t.RegisterModel)
	}
	if t.Mixed {
		on += ", all modes"
	}
	switch {
	case t.Bound != "":
		e.Title, e.ID = t.Bound+", "+on, t.Bound
	case t.Property == "":
		e.Title, e.ID = "as it is scheduled, "+on, "scheduled"
	case t.Unclaimed:
		e.Title = "without " + t.Property + ", which it does not claim, " + on
	default:
		e.Title = "against " + t.Property + ", " + on
	}
	e.ID = cmp.Or(e.ID, t.Property) + " " + on
	e.Shows = fmt.Sprint(name, t.Property, t.Bound, t.Memory, t.Unfenced, t.RegisterModel, t.Mixed)
	sections := make([]string, t.N)
	pending := make([][]string, t.N)
	for _, a := range t.Steps {
		s := steps.Step{Acts: []steps.Act{actOf(a)}}
		if a.Section == sections[a.Process] {
			s.Acts[0].Section = ""
		} else {
			sections[a.Process] = a.Section
		}
		if a.Register != "" {
			c := e.CellOf(a.Register, a.Before)
			if a.Sets() {
				s.Sets = []steps.Set{{Cell: c, Value: a.After, By: a.Process}}
			}
		}
		switch {
		case a.Buffered:
			pending[a.Process] = append(pending[a.Process], fmt.Sprintf("process %d: %s := %s", a.Process, a.Register, a.After))
		case a.Op == check.Flush && len(pending[a.Process]) > 0:
			pending[a.Process] = pending[a.Process][1:]
		}
		s.Under = slices.Concat(pending...)
		e.Steps = append(e.Steps, s)
	}
	e.Command, e.Note = command(t)
	return e
}

// command is what replays the trace on the compiled code.
func command(t *check.Trace) (line, note string) {
	if len(t.Steps) == 0 {
		return "", "No process has accessed shared memory before."
	}
	words := []string{"shmbench", "check"}
	switch o := t.Origin; {
	case t.RegisterModel != "":
		return "", "A schedule is not replayed on registers that are not atomic: those of compiled Go are. check held this one against the compiled code with the values given that the reads return."
	case t.Crashes != "":
		return "", "Processes crash: check -o FILE.json writes this execution to a file, and check -replay runs the file."
	case o.List == "" && !cli.IsPackage(o.Package):
		return "", "An import path names the package: check -o FILE.json writes this execution to a file, and check -replay runs the file."
	case o.List == "":
		words = append(words, cli.Quote(cli.Package{Path: o.Package, Constructor: o.Constructor}.String()))
	case len(o.Paths) > 0:
		return "", "The processes are where -topology had them: check -o FILE.json writes this execution to a file, and check -replay runs the file."
	default:
		if o.Package == "shmbench/catalog/knownbroken" {
			words = append(words, "-known-broken")
		}
		words = append(words, "-alg", cli.Quote("^"+regexp.QuoteMeta(o.Algorithm)+"$"))
	}
	words = append(words, "-procs", fmt.Sprint(t.N))
	if t.Unfenced {
		words = append(words, "-memory", "tso")
	}
	note = "It makes the same accesses on the compiled code."
	if t.Cycle >= 0 {
		note = "It makes the same accesses on the compiled code, and a hundred times those of the loop, which is what follows the /."
	}
	return strings.Join(append(words, "-replay", cli.Quote(t.Turns())), " "), note
}

// addTraces adds those of a report or a file of check's; false says that one cannot
// be used.
func (in *Input) addTraces(traces []*check.Trace) bool {
	all := true
	for _, t := range traces {
		if t != nil && viewable(t) {
			in.Executions.Add(executionOf(t))
		} else {
			all = false
		}
	}
	return all
}
