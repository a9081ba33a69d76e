// Package playback shows what dmesim replay and dmesim explore have found on pages of
// internal/page/steps, on which a reader steps through the events.
package playback

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/internal/cli"
	"shmbench/internal/page/steps"
)

// Played returns the execution of a worked example.
func Played(r *explore.Played) (l steps.List) {
	e := execution(r.Algorithm, r.Nodes)
	e.Title, e.Says = cmp.Or(r.Title, r.Name), r.Source
	if r.Failed != "" {
		e.Says = "Not as it should be: " + r.Failed
	}
	if r.Name != "" {
		e.Command = "dmesim replay " + cli.Quote(r.Name)
	}
	for _, p := range r.Panels {
		play(e, strings.TrimSpace(p.Name+" "+p.Words), p.Events)
	}
	l.Add(e)
	return l
}

// Explored returns the traces of the violations, without any if there is none.
func Explored(x *explore.Exploration) (l steps.List) {
	for _, v := range x.Violations {
		e := execution(x.Algorithm, x.Nodes)
		e.Title, e.Says, e.Cycle = fmt.Sprintf("against %s, %d nodes", v.Property, x.Nodes), v.Text, v.Loop
		e.Note = "dmesim explore -o writes it to a file, which dmesim replay plays."
		play(e, "", v.Trace)
		l.Add(e)
	}
	return l
}

// execution returns an execution of nodes without steps.
func execution(algorithm string, nodes int) *steps.Execution {
	return &steps.Execution{
		Of: algorithm, Columns: steps.Columns(nodes, "node"), Cells: []steps.Cell{}, Steps: []steps.Step{}, Cycle: -1,
		Under: "Messages under way", Kind: "Variables",
	}
}

// variable is one of a node, in the words for its state.
var variable = regexp.MustCompile(`(\w+)=(\[[^\]]*\]|\S*)`)

// play adds the events of a part to e.
func play(e *steps.Execution, part string, events []explore.Event) {
	for _, ev := range events {
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
