package check

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// lacking says of a lock that it does not have a property that it need not have.
var lacking = map[string]string{
	StarvationFreedom:    "does not prevent starvation",
	BoundedBypass:        "does not bound how often others pass",
	FirstComeFirstServed: "does not serve first come, first served",
}

// String shows the trace as a table with a column for each process: in each
// line one step, with the pseudo-code label, the register and its value.
func (t *Trace) String() string {
	if t == nil {
		return "(no trace)"
	}
	var b strings.Builder
	if without, ok := lacking[t.Property]; ok && t.Unclaimed {
		fmt.Fprintf(&b, "The lock %s for n = %d, and claims no such thing: in this schedule %s\n", without, t.N, t.End)
	} else {
		fmt.Fprintf(&b, "%s is violated for n = %d: %s\n", t.Property, t.N, t.End)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "step\t")
	for p := range t.N {
		fmt.Fprintf(w, "process %d\t", p)
	}
	fmt.Fprintln(w, "source")
	for i, s := range t.Steps {
		if i == t.Cycle {
			fmt.Fprintln(w, "cycle:"+strings.Repeat("\t", t.N+1))
		}
		fmt.Fprintf(w, "%d\t%s%s%s\t%s:%d\n", i+1, strings.Repeat("\t", s.Process), s.what(),
			strings.Repeat("\t", t.N-1-s.Process), s.File, s.Line)
	}
	w.Flush()
	return trimLines(b.String())
}

// trimLines removes blanks at the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// what describes a step in one table cell.
func (s Step) what() string {
	var b strings.Builder
	if s.Label != "" {
		b.WriteString(s.Label + "  ")
	}
	if s.Plain {
		b.WriteString("plain ")
	}
	switch s.Op {
	case "pass":
		b.WriteString("passes")
	case "load":
		fmt.Fprintf(&b, "%s = %s", s.Register, s.Before)
	case "store":
		fmt.Fprintf(&b, "%s := %s", s.Register, s.After)
	case "flush":
		fmt.Fprintf(&b, "(memory) %s := %s", s.Register, s.After)
	default:
		fmt.Fprintf(&b, "%s %s: %s", s.Op, s.Register, s.Before)
		if s.After != s.Before {
			fmt.Fprintf(&b, " -> %s", s.After)
		}
	}
	if s.Turn != "" {
		fmt.Fprintf(&b, " [%s]", s.Turn)
	}
	return b.String()
}
