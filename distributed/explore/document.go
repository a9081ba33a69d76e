package explore

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// An Exploration is an explored system with the result. It is the document of dmesim explore
// -json.
type Exploration struct {
	Algorithm  string   `json:"algorithm"`
	Nodes      int      `json:"nodes"`
	Threads    int      `json:"threads"`
	Requests   int      `json:"requests"` // a thread; 0: forever
	FIFO       bool     `json:"fifo"`
	Timing     Timing   `json:"timing"`
	Faults     Faults   `json:"faults"`
	Invariants []string `json:"invariants"` // held in each state
	*Result
}

// A Played is what came of steps that a Player took, part by part: a worked example. It is the
// document of dmesim replay -json.
type Played struct {
	Name      string  `json:"name"`
	Title     string  `json:"title"`
	Source    string  `json:"source"`
	Algorithm string  `json:"algorithm"`
	Nodes     int     `json:"nodes"`
	Panels    []Panel `json:"panels"`
	Checks    int     `json:"checks"`           // how many things were said to be true
	Failed    string  `json:"failed,omitempty"` // the first that is not, or the event that cannot happen
}

// A Panel is a part of a worked example, as far as it went.
type Panel struct {
	Name   string   `json:"name"`
	Words  string   `json:"words"`
	Events []Event  `json:"events"`
	Inside []string `json:"inside"` // at its end, as N.T
	States []string `json:"states"` // of all nodes, at its end
}

// WriteText writes what was played, panel by panel. It returns the error of w.
func (r *Played) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s\n%s, %d nodes", r.Name, r.Title, r.Algorithm, r.Nodes)
	if r.Source != "" {
		fmt.Fprintf(b, "; %s", r.Source)
	}
	fmt.Fprintln(b)
	for _, p := range r.Panels {
		fmt.Fprintf(b, "\n%s  %s\n", p.Name, p.Words)
		for _, e := range p.Events {
			fmt.Fprintf(b, "    %s\n", e.Text)
			if does := e.Does(); does != "" {
				fmt.Fprintf(b, "        %s\n", does)
			}
		}
		fmt.Fprintf(b, "  inside: %s\n", cmp.Or(strings.Join(p.Inside, " "), "nobody"))
		for i, s := range p.States {
			fmt.Fprintf(b, "  node %d: %s\n", i, s)
		}
	}
	if r.Failed != "" {
		fmt.Fprintf(b, "\nNOT AS IT SHOULD BE: %s\n", r.Failed)
	} else {
		fmt.Fprintf(b, "\nas it should be: %d checks\n", r.Checks)
	}
	return b.Flush()
}

// WriteMermaid writes what was played as a Mermaid sequence diagram. It returns the error of w.
func (r *Played) WriteMermaid(w io.Writer) error {
	var events []Event
	notes := map[int]string{}
	for _, p := range r.Panels {
		if note := notes[len(events)]; note != "" { // of a panel without events
			notes[len(events)] = note + "; "
		}
		notes[len(events)] += strings.TrimSpace(p.Name + " " + p.Words)
		events = append(events, p.Events...)
	}
	if r.Failed != "" {
		notes[len(events)] = "not as it should be: " + r.Failed
	}
	return WriteMermaid(w, r.Nodes, events, -1, notes)
}
