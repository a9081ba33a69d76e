package scenario

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"shmbench/distributed/explore"
)

// A System is what a scenario that is written from a trace says of its system:
// the lines before the first panel, without alg and nodes.
type System struct {
	Algorithm string
	Nodes     int
	Threads   int
	Requests  int
	Lines     []string // such as "tree path"
}

// WriteViolation writes v as a scenario, with all messages and entries of every step of its
// trace.
func WriteViolation(w io.Writer, s System, v *explore.Violation) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "title    %s is violated: %s\nalg      %s\nnodes    %d\nthreads  %d\nrequests %d\n", v.Property, v.Text, s.Algorithm, s.Nodes, s.Threads, s.Requests)
	for _, l := range s.Lines {
		fmt.Fprintln(b, l)
	}
	fmt.Fprintln(b, "\npanel trace")
	for k, e := range v.Trace {
		if k == v.Loop {
			fmt.Fprintln(b, "\npanel loop from here on, again and again")
		}
		writeEvent(b, e)
	}
	switch v.Property {
	case explore.MutualExclusion, explore.Protocol, explore.OneLeader:
		fmt.Fprintf(b, "  breaks %s\n", v.Property)
	case explore.Deadlock:
		if v.Loop < 0 {
			fmt.Fprintln(b, "  stuck")
		}
	}
	return b.Flush()
}

func writeEvent(b io.Writer, e explore.Event) {
	s := e.Step
	var l string
	switch s.What {
	case "request":
		l = fmt.Sprintf("ask %d.%d", s.Node, s.Thread)
	case "release":
		l = fmt.Sprintf("leave %d.%d", s.Node, s.Thread)
	case "hang":
		l = fmt.Sprintf("hang %d.%d", s.Node, s.Thread)
	case "move":
		l = fmt.Sprintf("move %d.%d %d", s.Node, s.Thread, s.To)
	case "timer":
		l = fmt.Sprintf("expire %d %d", s.Node, s.Timer)
	case "deliver", "lose":
		l = fmt.Sprintf("%s %d>%d %s", s.What, s.Node, s.To, s.Message)
	case "duplicate":
		l = fmt.Sprintf("copy %d>%d %s", s.Node, s.To, s.Message)
	case "suspect", "crash":
		l = fmt.Sprintf("%s %d", s.What, s.Node)
	case "recover":
		l = fmt.Sprintf("restart %d", s.Node)
	case "partition":
		l = "cut " + strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Side), "[]"), " ", ",")
	default:
		l = s.What
	}
	if s.Sends > 0 {
		l += fmt.Sprintf("; crash %d", s.Sends)
	}
	fmt.Fprintln(b, l)
	for _, m := range e.Sent {
		fmt.Fprintf(b, "  sends %d>%d %s\n", m.From, m.To, m.Label())
	}
	for _, t := range e.Granted {
		fmt.Fprintf(b, "  enters %d.%d\n", e.Node, t)
	}
	for _, t := range e.Revoked {
		fmt.Fprintf(b, "  revokes %d.%d\n", e.Node, t)
	}
	if len(e.Sent)+len(e.Granted)+len(e.Revoked) == 0 {
		fmt.Fprintln(b, "  silent")
	}
	if e.State != "" {
		fmt.Fprintf(b, "  state %d %s\n", e.Node, e.State)
	}
}
