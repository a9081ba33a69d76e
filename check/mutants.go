package check

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"shmbench/mutants"
)

// CheckedMutant is a mutant that was checked.
type CheckedMutant struct {
	mutants.Mutant
	// Found is the verdict that was reached, and Report the report that reached it.
	Found  mutants.Verdict `json:"found"`
	Report *Report         `json:"report"`
	// Reports are all reports for as many processes: by Lock and Unlock alone, and, if
	// these do not decide, in all modes.
	Reports []*Report `json:"-"`
	// Wrong says where the mutant is not what its entry says.
	Wrong []string `json:"wrong,omitempty"`
}

// CheckedMutants are mutants that were checked.
type CheckedMutants []*CheckedMutant

// brokenStates is how many states of a mutant are visited at most: there is no end to them
// in a queue that is in disorder, long after two processes have met.
const brokenStates = 1_000_000

// Mutants checks mutants against their entries: each must get its verdict for as many
// processes as its entry says, and lose nothing for one process less. A mutant is judged by
// Lock and Unlock alone, and in all its modes only if it does not show its fault so. Each is
// called with each mutant as soon as it is finished.
func Mutants(ctx context.Context, all []mutants.Mutant, o Options, each func(*CheckedMutant)) error {
	program, err := mutants.Source(ctx, all)
	if err != nil {
		return err
	}
	src, err := OpenEdited(ctx, program)
	if err != nil {
		return err
	}
	if o.MaxStates == 0 {
		o.MaxStates = brokenStates
	}
	run := &runner{o: o}
	defer run.close()
	for _, m := range all {
		x := &CheckedMutant{Mutant: m}
		if err := x.check(ctx, src, run); err != nil {
			return err
		}
		each(x)
	}
	return nil
}

func (x *CheckedMutant) check(ctx context.Context, src *Source, run *runner) (err error) {
	judge := func(n int, lockOnly bool) ([]*Report, error) {
		run.o.LockOnly, run.o.N = lockOnly, []int{n}
		return run.check(ctx, src.algorithm("All", x.Algorithm))
	}
	for _, lockOnly := range []bool{true, false} {
		if x.Reports, err = judge(x.Procs, lockOnly); err != nil {
			return err
		}
		if x.Found, x.Report = x.gravest(x.Reports); x.Found == x.Verdict && x.Found != mutants.Equivalent {
			break
		}
	}
	if x.Found != x.Verdict {
		x.wrong("its entry says %v, and the verdict is %v", x.Verdict, x.Found)
	}
	x.differences(src)
	if x.Procs > x.MinProcs && x.Verdict != mutants.Equivalent {
		below, err := judge(x.Procs-1, run.o.LockOnly)
		if err != nil {
			return err
		}
		if found, _ := x.gravest(below); !x.Verdict.Graver(found) {
			x.wrong("its entry says that it needs n = %d, and the verdict for n = %d is %v", x.Procs, x.Procs-1, found)
		}
	}
	return nil
}

func (x *CheckedMutant) wrong(format string, args ...any) {
	x.Wrong = append(x.Wrong, fmt.Sprintf(format, args...))
}

// differences compares the class, and the registers if the entry says what they are, with
// the lock's operations.
func (x *CheckedMutant) differences(src *Source) {
	r := x.Reports[0]
	for _, of := range x.Reports {
		if x.Found == mutants.Equivalent && !of.Exhausted && of.Refused == "" {
			x.wrong("not decided: stopped after %d states", of.States)
		}
		if of.Refused != "" || of.Replay != nil && (of.Replay.Omitted != "" || len(of.Counterexamples) != of.Replay.Counterexamples) {
			x.wrong("not compared with the compiled code: %s", r.Refused+of.Replay.Omitted)
		}
	}
	if !r.Exhausted || r.N < 2 || x.Of == "" {
		return
	}
	if r.class != x.Class {
		x.wrong("the class is %v, its entry or its lock says %v", r.Class, x.Class)
	}
	if x.OtherSpace {
		x.Wrong = append(x.Wrong, r.spaceDisagreements(&x.Algorithm, Options{})...)
	}
}

// gravest returns the gravest verdict of the reports, and the first that has it.
func (x *CheckedMutant) gravest(reports []*Report) (v mutants.Verdict, of *Report) {
	v, of = mutants.Equivalent, reports[0]
	for _, r := range reports {
		if found := x.verdict(r); found.Graver(v) {
			v, of = found, r
		}
	}
	return v, of
}

// verdict is that of one report. A process may starve where the correct lock does not
// claim that none does. If several claims are lost, the verdict is on the one that the
// entry names, or else on the first.
func (x *CheckedMutant) verdict(r *Report) mutants.Verdict {
	claimed := x.Claims.StarvationFree
	if r.Modes != nil {
		claimed = x.Claims.Mixed.Writers.StarvationFree
	}
	found := r.Broken()
	switch {
	case found != mutants.Equivalent && (found != mutants.Starvation || claimed):
		return found
	case r.loss(x.Verdict.Claim()) != nil:
		return x.Verdict
	case len(r.lost) > 0:
		return mutants.Loses(r.lost[0].claim)
	}
	return mutants.Equivalent
}

// loss returns how a claim of the card is lost, or nil.
func (r *Report) loss(claim string) *loss {
	if i := slices.IndexFunc(r.lost, func(l loss) bool { return l.claim == claim }); i >= 0 {
		return &r.lost[i]
	}
	return nil
}

// Broken is the report in the terms of the mutants.
func (r *Report) Broken() mutants.Verdict {
	switch {
	case r.MutualExclusion == Violated:
		return mutants.Safety
	case r.DeadlockFreedom == Violated || r.ExitProgress == Violated:
		return mutants.Deadlock
	case r.StarvationFreedom == Violated:
		return mutants.Starvation
	}
	return mutants.Equivalent
}

// Trace returns the execution that shows what is broken, or nil.
func (x *CheckedMutant) Trace() *Trace {
	properties := map[mutants.Verdict][]string{mutants.Safety: {MutualExclusion}, mutants.Deadlock: {DeadlockFreedom, ExitProgress}, mutants.Starvation: {StarvationFreedom}}
	for _, p := range append(properties[x.Found], x.Found.Claim()) {
		if t := x.Report.Counterexample(p); t != nil {
			return t
		}
	}
	return nil
}

// WriteText prints a line for each mutant, and then the edits and the trace of each.
func (all CheckedMutants) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "mutant\tn\tstates\tits entry says\tfound\tsteps\tentry")
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
		} else if lost := x.Report.loss(x.Found.Claim()); lost != nil {
			fmt.Fprintf(w, "%s for n = %d\n", lost.says, x.Procs)
		}
	}
	return nil
}

// Err returns an error that names the first mutant that is not what its entry says, or nil.
func (all CheckedMutants) Err() error {
	i := slices.IndexFunc(all, func(x *CheckedMutant) bool { return len(x.Wrong) > 0 })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", all[i].Name, all[i].Wrong[0])
}
