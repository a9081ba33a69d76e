package brokencheck

import (
	"cmp"
	"fmt"
	"io"

	"shmbench/internal/cli/table"
	"shmbench/shm"
)

// Results is the known-broken locks that were checked against their specifications.
type Results []*Result

// WriteText prints a line for each lock, with the claim of its specification and the finding.
// For each lock it then prints the sources that were read and the execution.
func (x Results) WriteText(w io.Writer) error {
	t := table.New(w, "lock", "n", "memory", "states", "lacks, by its specification", "found", "steps", "fixed", "specification")
	for _, e := range x {
		spec := "agrees"
		if len(e.Wrong) > 0 {
			spec = "DISAGREES"
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Name, e.Procs, e.Memory, e.states(), e.Property, cmp.Or(e.Found, "nothing"), e.steps(), e.fixed(), spec)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, e := range x {
		e.writeText(w)
	}
	return nil
}

func (e *Result) writeText(w io.Writer) {
	fmt.Fprintf(w, "\n%s: %s\n  published: %v\n  read: %s\n  claimed: %s\n  found: %s\n  fixed by: %s\n", e.Name, e.Title, e.Source, e.Read, e.Claimed, e.Verdict, e.Fix)
	for _, wrong := range e.Wrong {
		fmt.Fprintf(w, "  DISAGREES: %s\n", wrong)
	}
	if trace := e.Trace(); trace != nil {
		fmt.Fprintln(w, trace)
	}
}

func (e *Result) states() string {
	if e.Report == nil {
		return "?"
	}
	return e.Report.Visited()
}

func (e *Result) steps() string {
	if trace := e.Trace(); trace != nil {
		return fmt.Sprint(len(trace.Steps))
	}
	return "-"
}

// fixed is the lock of the catalog that is right, and whether it is.
func (e *Result) fixed() string {
	switch {
	case e.Lock.Fixed == "":
		return "-"
	case e.Fixed == nil || e.Fixed.Err() != nil || e.Fixed.Counterexample(e.Property) != nil:
		return e.Lock.Fixed + " FAILS"
	case e.Fixed.RegisterModel != "" && e.Fixed.RegisterModel != shm.Atomic:
		return fmt.Sprintf("%s, %s registers", e.Lock.Fixed, e.Fixed.RegisterModel)
	}
	return e.Lock.Fixed
}
