package explore

import (
	"bufio"
	"fmt"
	"io"
)

// WriteMermaid prints v as a Mermaid sequence diagram. It draws an arrow at the
// moment at which the message arrives. Notes show messages that were sent and
// have not arrived. It returns the error of w.
func (v *Violation) WriteMermaid(w io.Writer, nodes int) error {
	return WriteMermaid(w, nodes, v.Trace, v.Loop, map[int]string{len(v.Trace): fmt.Sprintf("%s is violated: %s", v.Property, v.Text)})
}

// WriteMermaid prints events as a Mermaid sequence diagram of the given number of
// nodes. If loop is not negative, the events from index loop on form a loop. It
// prints notes[k] before the k-th event, or after the last event. It returns the
// error of w.
func WriteMermaid(w io.Writer, nodes int, events []Event, loop int, notes map[int]string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "sequenceDiagram")
	for i := range nodes {
		fmt.Fprintf(b, "    participant n%d as node %d\n", i, i)
	}
	all := fmt.Sprintf("n0,n%d", nodes-1)
	note := func(k int) {
		if text, there := notes[k]; there {
			fmt.Fprintf(b, "    Note over %s: %s\n", all, text)
		}
	}
	for k, e := range events {
		note(k)
		if k == loop {
			fmt.Fprintln(b, "    loop forever")
		}
		switch e.What {
		case "deliver", "duplicate":
			fmt.Fprintf(b, "    n%d->>n%d: %s\n", e.Message.From, e.Message.To, e.Message.Label())
		case "lose":
			fmt.Fprintf(b, "    n%d-xn%d: %s is lost\n", e.Message.From, e.Message.To, e.Message.Label())
		case "tick", "partition", "heal":
			fmt.Fprintf(b, "    Note over %s: %s\n", all, e.Text)
		default:
			fmt.Fprintf(b, "    Note over n%d: %s\n", e.Node, e.Text)
		}
		for _, m := range e.Sent {
			fmt.Fprintf(b, "    Note right of n%d: sends %s to node %d\n", e.Node, m.Label(), m.To)
		}
		for _, t := range e.Revoked {
			fmt.Fprintf(b, "    Note over n%d: thread %d must leave\n", e.Node, t)
		}
		for _, t := range e.Granted {
			fmt.Fprintf(b, "    Note over n%d: thread %d ENTERS\n", e.Node, t)
		}
	}
	if loop >= 0 {
		fmt.Fprintln(b, "    end")
	}
	note(len(events))
	return b.Flush()
}
