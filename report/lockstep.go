package report

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/check"
	"shmbench/check/lockstep"
	"shmbench/internal/page/steps"
)

// executionOfRounds is what the viewer shows of a synchronous execution.
func executionOfRounds(l *lockstep.Report) *steps.Execution {
	e := &steps.Execution{Of: l.Algorithm, Title: fmt.Sprintf("in lockstep, n = %d", l.N), Columns: steps.Columns(l.N, "process"), Cycle: -1, Kind: "Registers", Cells: []steps.Cell{}, Code: l.Code,
		Says: "Each process executes one line at a time, all at the same time. They enter in the order " + strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Entries), " ", ", "), "[]") + ".",
		Note: "shmbench lockstep runs it again, on the source."}
	for _, r := range l.Rounds {
		for i, lines := range r.Steps {
			s := steps.Step{}
			if i == 0 {
				s.Part = fmt.Sprintf("round %d", r.Number)
			}
			for _, line := range lines {
				var texts []string
				out := steps.Act{By: line.Process, Label: line.Label, Turn: line.Does}
				for _, a := range line.Accesses {
					texts = append(texts, textOf(a))
					out.File, out.Line, out.Section = a.File, a.Line, a.Section
					if a.Register == "" {
						continue
					}
					if c := e.CellOf(a.Register, a.Before); a.Sets() {
						s.Sets = append(s.Sets, steps.Set{Cell: c, Value: a.After, By: a.Process})
					}
				}
				out.Text = strings.Join(texts, ", ")
				s.Acts = append(s.Acts, out)
			}
			e.Steps = append(e.Steps, s)
		}
	}
	return e
}

// viewableRounds reports whether the viewer can show a synchronous execution.
func viewableRounds(l *lockstep.Report) bool {
	count := 0
	for _, r := range l.Rounds {
		for _, lines := range r.Steps {
			count++
			for _, line := range lines {
				if line.Process < 0 || line.Process >= l.N || slices.ContainsFunc(line.Accesses, func(a check.Step) bool { return a.Process < 0 || a.Process >= l.N }) {
					return false
				}
			}
		}
	}
	return l.N > 0 && l.N <= steps.MostColumns && count > 0 && count <= steps.MostSteps
}
