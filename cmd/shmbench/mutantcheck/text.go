package mutantcheck

import (
	"fmt"
	"io"
	"strings"

	"shmbench/internal/cli/table"
)

// WriteText prints a line for each mutant, and then the edits and the trace of each.
func (all All) WriteText(w io.Writer) error {
	t := table.New(w, "mutant", "n", "states", "its entry says", "found", "steps", "entry")
	for _, x := range all {
		steps, entry := "-", "agrees"
		if trace := x.Trace(); trace != nil {
			steps = fmt.Sprint(len(trace.Steps))
		}
		if len(x.Wrong) > 0 {
			entry = "DISAGREES"
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n", x.Name, x.Procs, x.Report.Visited(), x.Verdict, x.Found, steps, entry)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, x := range all {
		fmt.Fprintf(w, "\n%s: %s\n", x.Name, x.Broken)
		if x.Of != "" {
			fmt.Fprintf(w, "  in %s: %s\n", x.Of, strings.Join(x.Edits, "\n  and: "))
		}
		for _, wrong := range x.Wrong {
			fmt.Fprintf(w, "  DISAGREES: %s\n", wrong)
		}
		if trace := x.Trace(); trace != nil {
			fmt.Fprintln(w, trace)
		} else if lost := x.Report.Loss(x.Found.Claim()); lost != nil {
			fmt.Fprintf(w, "%s for n = %d\n", lost.Says, x.Procs)
		}
	}
	return nil
}
