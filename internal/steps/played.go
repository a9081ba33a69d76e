package steps

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"shmbench/internal/cli"
)

// played is what dmesim replay -json or dmesim explore -json writes.
type played struct {
	Name, Title, Source, Algorithm, Failed string
	Nodes                                  int
	Panels                                 []struct {
		Name, Words string
		Events      []event
	}
	Violations []struct {
		Property, Text string
		Trace          []event
		Loop           int
	}
}

type event struct {
	What, Text, State string
	Node              int
	Message           *message
	Sent, Way         []message // Way: under way then
	Granted, Revoked  []int
}

type message struct {
	From, To, Who, Thread, Lock int
	Kind                        string
	Flag                        bool
	Stamp, Clock                int64
	Body                        []int64
}

func (m message) String() string {
	text := fmt.Sprintf("%d → %d %s", m.From, m.To, m.Kind)
	if m.Who != m.From {
		text += fmt.Sprintf(" who=%d", m.Who)
	}
	for _, f := range []struct {
		name  string
		value int64
	}{{"thread", int64(m.Thread)}, {"lock", int64(m.Lock)}, {"stamp", m.Stamp}, {"clock", m.Clock}} {
		if f.value != 0 {
			text += fmt.Sprintf(" %s=%d", f.name, f.value)
		}
	}
	if m.Flag {
		text += " flag"
	}
	if m.Body != nil {
		text += fmt.Sprintf(" %v", m.Body)
	}
	return text
}

// AddPlayed adds what a result of dmesim replay -json has, or each violation of one of dmesim
// explore -json. It returns false if an execution is none.
func (l *List) AddPlayed(result []byte) bool {
	var d played
	if json.Unmarshal(result, &d) != nil {
		return false
	}
	if d.Nodes < 1 || d.Nodes > MostColumns {
		return false
	}
	if d.Violations != nil {
		used := 0
		for _, v := range d.Violations {
			e := &Execution{Of: d.Algorithm, Title: fmt.Sprintf("against %s, %d nodes", v.Property, d.Nodes), Says: v.Text, Cycle: v.Loop,
				Note: "dmesim explore -o writes it to a file, which dmesim replay plays."}
			if e.play(d.Nodes, "", v.Trace) && v.Loop >= -1 && v.Loop < len(e.Steps) {
				l.Add(e)
				used++
			}
		}
		return used == len(d.Violations)
	}
	e := &Execution{Of: d.Algorithm, Title: cmp.Or(d.Title, d.Name), Says: d.Source, Cycle: -1}
	if d.Failed != "" {
		e.Says = "Not as it should be: " + d.Failed
	}
	if d.Name != "" {
		e.Command = "dmesim replay " + cli.Quote(d.Name)
	}
	for _, p := range d.Panels {
		if !e.play(d.Nodes, strings.TrimSpace(p.Name+" "+p.Words), p.Events) {
			return false
		}
	}
	if len(e.Steps) == 0 {
		return false
	}
	l.Add(e)
	return true
}

// variable is one of a node, in the words for its state.
var variable = regexp.MustCompile(`(\w+)=(\[[^\]]*\]|\S*)`)

// play adds the events of a part.
func (e *Execution) play(nodes int, part string, events []event) bool {
	e.Columns, e.Under, e.Kind = Columns(nodes, "node"), "Messages under way", "Variables"
	if e.Cells == nil {
		e.Cells = []Cell{}
	}
	for _, ev := range events {
		if ev.Node < 0 || ev.Node >= nodes || len(e.Steps) == MostSteps {
			return false
		}
		out := Act{By: ev.Node, Text: ev.Text}
		s := Step{Part: part}
		part = ""
		if len(ev.Sent) > 0 {
			var texts []string
			for _, m := range ev.Sent {
				texts = append(texts, m.String())
			}
			out.Text += "; sends " + strings.Join(texts, ", ")
		}
		switch {
		case len(ev.Granted) > 0:
			out.Turn, out.Section = "enters", "inside"
		case len(ev.Revoked) > 0:
			out.Turn, out.Section = "must leave", "outside"
		case ev.What == "release":
			out.Turn, out.Section = "leaves", "outside"
		case ev.What == "crash":
			out.Section = "crashed"
		case ev.What == "recover":
			out.Section = "up again"
		}
		for _, v := range variable.FindAllStringSubmatch(ev.State, -1) {
			name := fmt.Sprintf("%d.%s", ev.Node, v[1])
			c := e.CellOf(name, "")
			if last := e.last(c); last != v[2] {
				s.Sets = append(s.Sets, Set{c, v[2], ev.Node})
			}
		}
		for _, m := range ev.Way {
			s.Under = append(s.Under, m.String())
		}
		s.Acts = []Act{out}
		e.Steps = append(e.Steps, s)
	}
	return true
}

// last is the value that a cell has after all steps so far.
func (e *Execution) last(c int) string {
	for _, s := range slices.Backward(e.Steps) {
		for _, x := range s.Sets {
			if x.Cell == c {
				return x.Value
			}
		}
	}
	return e.Cells[c].Value
}
