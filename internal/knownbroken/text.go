package knownbroken

import (
	"fmt"
	"io"
	"text/tabwriter"

	"shmbench/shm"
)

// Exhibition is the known-broken locks that were checked against their specifications.
type Exhibition []*Exhibited

// WriteText prints a line for each lock, with what its specification says and what was
// found, and then what was read of each, and the execution that it shows.
func (x Exhibition) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "lock\tn\tmemory\tstates\tlacks, by its specification\tfound\tsteps\tfixed\tspecification")
	for _, e := range x {
		card := "agrees"
		if len(e.Wrong) > 0 {
			card = "DISAGREES"
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Name, e.Procs, e.Memory, e.states(), e.Property, orNothing(e.Found), e.steps(), e.fixed(), card)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, e := range x {
		e.writeText(w)
	}
	return nil
}

func (e *Exhibited) writeText(w io.Writer) {
	fmt.Fprintf(w, "\n%s: %s\n  published: %v\n  read: %s\n  claimed: %s\n  found: %s\n  fixed by: %s\n", e.Name, e.Title, e.Source, e.Read, e.Claimed, e.Verdict, e.Mend)
	for _, wrong := range e.Wrong {
		fmt.Fprintf(w, "  DISAGREES: %s\n", wrong)
	}
	if trace := e.Trace(); trace != nil {
		fmt.Fprintln(w, trace)
	}
}

func (e *Exhibited) states() string {
	if e.Report == nil {
		return "?"
	}
	return e.Report.Visited()
}

func (e *Exhibited) steps() string {
	if trace := e.Trace(); trace != nil {
		return fmt.Sprint(len(trace.Steps))
	}
	return "-"
}

// fixed is the lock of the catalogue that is right, and whether it is.
func (e *Exhibited) fixed() string {
	switch {
	case e.Exhibit.Mended == "":
		return "-"
	case e.Mended == nil || e.Mended.Err() != nil || e.Mended.Counterexample(e.Property) != nil:
		return e.Exhibit.Mended + " FAILS"
	case e.Mended.RegisterModel != "" && e.Mended.RegisterModel != shm.Atomic:
		return fmt.Sprintf("%s, %s registers", e.Exhibit.Mended, e.Mended.RegisterModel)
	}
	return e.Exhibit.Mended
}
