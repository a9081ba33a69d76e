package trace

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/verdict"
	"shmbench/internal/cli/table"
)

// lacking says of a lock that it does not have a property that it need not have.
var lacking = map[string]string{
	verdict.StarvationFreedom:    "does not prevent starvation",
	verdict.BoundedBypass:        "does not bound how often others pass",
	verdict.FirstComeFirstServed: "does not serve first come, first served",

	verdict.DeadlockFreedom:            "does not prevent deadlock",
	verdict.ExitProgress:               "does not end every exit section",
	verdict.ReaderStarvationFreedom:    "does not prevent that readers starve",
	verdict.ReaderBoundedBypass:        "does not bound how often writers pass readers",
	verdict.ConcurrentReaders:          "lets readers wait for readers",
	verdict.WaitFreeTry:                "does not bound the steps of TryLock",
	verdict.StrongTry:                  "lets TryLock fail while it is free",
	verdict.StrongStarvationFreedom:    "does not prevent starvation while others crash again and again",
	verdict.StrongFirstComeFirstServed: "does not keep the place of a process that crashes while it waits",
	verdict.BoundedReentry:             "does not bound the steps of re-entry",
	verdict.BoundedRecovery:            "does not bound the steps of Recover",
	verdict.BoundedExit:                "does not bound the steps of its exit section",
	verdict.WaitFreeAbort:              "does not bound the steps of a process that gives up",
}

// String shows the trace as a table with a column for each process: in each
// line one step, with the pseudo-code label, the register and its value.
func (t *Trace) String() string {
	if t == nil {
		return "(no trace)"
	}
	var b strings.Builder
	if t.Bound != "" {
		fmt.Fprintf(&b, "%s, n = %d, %s: %s\n", t.Origin, t.N, t.Bound, t.End)
	} else if t.Property == "" {
		fmt.Fprintf(&b, "%s, n = %d, as it is scheduled\n", t.Origin, t.N)
	} else if without, ok := lacking[t.Property]; ok && t.Unclaimed {
		fmt.Fprintf(&b, "The lock %s%s for n = %d, and claims no such thing: in this schedule %s\n", without, t.on(), t.N, t.End)
	} else {
		fmt.Fprintf(&b, "%s is violated%s for n = %d: %s\n", t.Property, t.on(), t.N, t.End)
	}
	if len(t.Steps) == 0 {
		b.WriteString("No process has accessed shared memory before.\n")
		return b.String()
	}
	w := table.New(&b)
	fmt.Fprint(w, "step\t")
	for p := range t.N {
		fmt.Fprintf(w, "process %d\t", p)
	}
	columns := t.N
	var buffers *pendingText
	if t.Memory == "tso" {
		columns++
		buffers = &pendingText{make([][]string, t.N)}
		fmt.Fprint(w, "not in memory yet\t")
	}
	fmt.Fprintln(w, "source")
	for i, s := range t.Steps {
		if i == t.Cycle {
			fmt.Fprintln(w, "cycle:"+strings.Repeat("\t", columns+1))
		}
		fmt.Fprintf(w, "%d%s\t%s%s%s\t%s%s\n", i+1, t.mark(i), strings.Repeat("\t", s.Process), s.What(),
			strings.Repeat("\t", t.N-1-s.Process), buffers.after(s), s.Place())
	}
	w.Flush()
	return TrimLines(b.String())
}

// mark marks a step that the bound counts.
func (t *Trace) mark(step int) string {
	if slices.Contains(t.Counted, step) {
		return " *"
	}
	return ""
}

// pendingText is what is in the store buffers of a trace, the oldest store of each
// process first.
type pendingText struct{ of [][]string }

// after is the cell of the table that says what is in the buffers after a step.
func (b *pendingText) after(s execution.Step) string {
	switch {
	case b == nil:
		return ""
	case s.Buffered:
		b.of[s.Process] = append(b.of[s.Process], s.Register+" := "+s.After)
	case s.Op == execution.Flush && len(b.of[s.Process]) > 0:
		b.of[s.Process] = b.of[s.Process][1:]
	}
	var all []string
	for pid, stores := range b.of {
		if len(stores) > 0 {
			all = append(all, fmt.Sprintf("%d: %s", pid, strings.Join(stores, ", ")))
		}
	}
	return strings.Join(all, "; ") + "\t"
}

// on names the registers of a trace if they are not atomic, or says that passages are
// mixed.
func (t *Trace) on() string {
	switch {
	case t.Crashes != "":
		return " under crashes"
	case t.Mixed:
		return " in all modes"
	case t.RegisterModel == "":
		return ""
	}
	return fmt.Sprintf(" on %s registers", t.RegisterModel)
}

// TrimLines removes blanks at the ends of lines.
func TrimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}
