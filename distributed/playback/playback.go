// Package playback shows what dmesim replay and dmesim explore have found on pages of
// internal/steps, on which a reader steps through the events.
package playback

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/internal/cli"
	"shmbench/internal/steps"
)

// AddPlayed adds a worked example to l. It returns false if a page cannot show the example.
func AddPlayed(l *steps.List, r *explore.Played) bool {
	if !shows(r.Nodes) {
		return false
	}
	e := execution(r.Algorithm, r.Nodes)
	e.Title, e.Says = cmp.Or(r.Title, r.Name), r.Source
	if r.Failed != "" {
		e.Says = "Not as it should be: " + r.Failed
	}
	if r.Name != "" {
		e.Command = "dmesim replay " + cli.Quote(r.Name)
	}
	for _, p := range r.Panels {
		if !play(e, strings.TrimSpace(p.Name+" "+p.Words), p.Events) {
			return false
		}
	}
	if len(e.Steps) == 0 {
		return false
	}
	l.Add(e)
	return true
}

// AddExplored adds the trace of each violation to l. It returns false if there is a trace that a
// page cannot show.
func AddExplored(l *steps.List, x *explore.Exploration) bool {
	if !shows(x.Nodes) || x.Result == nil || x.Violations == nil {
		return false
	}
	all := true
	for _, v := range x.Violations {
		e := execution(x.Algorithm, x.Nodes)
		e.Title, e.Says, e.Cycle = fmt.Sprintf("against %s, %d nodes", v.Property, x.Nodes), v.Text, v.Loop
		e.Note = "dmesim explore -o writes it to a file, which dmesim replay plays."
		if play(e, "", v.Trace) && v.Loop >= -1 && v.Loop < len(e.Steps) {
			l.Add(e)
		} else {
			all = false
		}
	}
	return all
}

// WritePlayed writes the page of a worked example to a file, and names the file on diagnostics.
func WritePlayed(diagnostics io.Writer, path string, r *explore.Played) error {
	var l steps.List
	AddPlayed(&l, r)
	return l.WritePage(diagnostics, path)
}

// WriteExplored writes the page of the violations to a file, and names the file on diagnostics.
func WriteExplored(diagnostics io.Writer, path string, x *explore.Exploration) error {
	var l steps.List
	AddExplored(&l, x)
	return l.WritePage(diagnostics, path)
}

// shows reports whether a page can show so many nodes.
func shows(nodes int) bool { return nodes >= 1 && nodes <= steps.MostColumns }

// execution returns an execution of nodes without steps.
func execution(algorithm string, nodes int) *steps.Execution {
	return &steps.Execution{
		Of: algorithm, Columns: steps.Columns(nodes, "node"), Cells: []steps.Cell{}, Cycle: -1,
		Under: "Messages under way", Kind: "Variables",
	}
}

// variable is one of a node, in the words for its state.
var variable = regexp.MustCompile(`(\w+)=(\[[^\]]*\]|\S*)`)

// play adds the events of a part to e. It returns false if a page cannot show them.
func play(e *steps.Execution, part string, events []explore.Event) bool {
	for _, ev := range events {
		if ev.Node < 0 || int(ev.Node) >= len(e.Columns) || len(e.Steps) == steps.MostSteps {
			return false
		}
		s := steps.Step{Part: part, Acts: []steps.Act{act(ev)}, Under: texts(ev.Way)}
		part = ""
		for _, v := range variable.FindAllStringSubmatch(ev.State, -1) {
			c := e.CellOf(fmt.Sprintf("%d.%s", ev.Node, v[1]), "")
			if last(e, c) != v[2] {
				s.Sets = append(s.Sets, steps.Set{Cell: c, Value: v[2], By: int(ev.Node)})
			}
		}
		e.Steps = append(e.Steps, s)
	}
	return true
}

// act is what the node of an event does.
func act(ev explore.Event) steps.Act {
	a := steps.Act{By: int(ev.Node), Text: ev.Text}
	if len(ev.Sent) > 0 {
		a.Text += "; sends " + strings.Join(texts(ev.Sent), ", ")
	}
	switch {
	case len(ev.Granted) > 0:
		a.Turn, a.Section = "enters", "inside"
	case len(ev.Revoked) > 0:
		a.Turn, a.Section = "must leave", "outside"
	case ev.What == "release":
		a.Turn, a.Section = "leaves", "outside"
	case ev.What == "crash":
		a.Section = "crashed"
	case ev.What == "recover":
		a.Section = "up again"
	}
	return a
}

// texts prints messages, each with its end points.
func texts(messages []distributed.Message) (all []string) {
	for _, m := range messages {
		all = append(all, fmt.Sprintf("%d → %d %s", m.From, m.To, m.Label()))
	}
	return all
}

// last is the value that a cell has after all steps so far.
func last(e *steps.Execution, c int) string {
	for _, s := range slices.Backward(e.Steps) {
		for _, x := range s.Sets {
			if x.Cell == c {
				return x.Value
			}
		}
	}
	return e.Cells[c].Value
}
