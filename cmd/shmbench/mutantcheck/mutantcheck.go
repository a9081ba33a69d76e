// Package mutantcheck checks the mutants of the locks, and compares each with its entry:
// the verdict that the entry says, for as many processes as it says and for no fewer.
package mutantcheck

import (
	"context"
	"fmt"
	"slices"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/build/edit"
)

// Checked is a mutant that was checked.
type Checked struct {
	mutants.Mutant
	// Found is the verdict that was reached, and Report the report that reached it.
	Found  mutants.Verdict `json:"found"`
	Report *check.Report   `json:"report"`
	// Reports are all reports for as many processes: by Lock and Unlock only, and, if these
	// do not decide, in all modes.
	Reports []*check.Report `json:"-"`
	// Wrong says where the mutant is not what its entry says.
	Wrong []string `json:"wrong,omitempty"`
}

// All are mutants that were checked.
type All []*Checked

// brokenStates is how many states of a mutant are visited at most: there is no end to them
// in a queue that is in disorder, long after two processes have met.
const brokenStates = 1_000_000

// Run checks mutants against their entries. Each must get its verdict for as many processes
// as its entry says, and lose nothing for one process less. A mutant is judged by Lock and
// Unlock. It is judged in all its modes only if these do not show its fault. Run calls Each
// with each mutant as soon as it is finished. With NoCosts, the costs of passages are found only
// for a mutant whose entry says that it loses a claim at most.
func Run(ctx context.Context, all []mutants.Mutant, o check.Options, each func(*Checked)) error {
	if o.MaxStates == 0 {
		o.MaxStates = brokenStates
	}
	var programs []*edit.Program // of all, so that an edit that does not apply is found at once
	for some := range slices.Chunk(all, together) {
		program, err := mutants.Source(ctx, some)
		if err != nil {
			return err
		}
		programs = append(programs, program)
	}
	for some := range slices.Chunk(all, together) {
		if err := runTogether(ctx, programs[0], some, o, each); err != nil {
			return err
		}
		programs = programs[1:]
	}
	return nil
}

// together is how many mutants one program has. In a larger program, each mutant costs
// more: the list of all is copied for each, and collected as garbage.
const together = 40

// runTogether is Run for the mutants of one program.
func runTogether(ctx context.Context, program *edit.Program, some []mutants.Mutant, o check.Options, each func(*Checked)) error {
	src, err := check.OpenEdited(ctx, program)
	if err != nil {
		return err
	}
	checker := src.Checker("All")
	defer checker.Close()
	for _, m := range some {
		x := &Checked{Mutant: m}
		if err := x.check(ctx, checker, o); err != nil {
			return err
		}
		each(x)
	}
	return nil
}

// check checks the mutant, and notes where it differs from its entry.
func (x *Checked) check(ctx context.Context, checker *check.Checker, o check.Options) (err error) {
	if x.Crashes != "" {
		return x.checkCrashes(ctx, checker, o)
	}
	judge := func(n int, noCosts bool) ([]*check.Report, error) {
		o.N, o.NoCosts = []int{n}, noCosts
		return checker.Check(ctx, x.Algorithm, o)
	}
	noCosts := o.NoCosts && x.brokenAtAnyCost()
	ways := []bool{true, false}
	if x.Verdict == mutants.Equivalent {
		ways = ways[1:] // to show no fault by Lock and Unlock does not decide
	}
	for _, o.LockOnly = range ways {
		if x.Reports, err = judge(x.Procs, noCosts); err != nil {
			return err
		}
		if x.Found, x.Report = x.gravest(x.Reports); x.Found == x.Verdict && x.Found != mutants.Equivalent {
			break
		}
	}
	if x.Found != x.Verdict {
		x.wrong("its entry says %v, and the verdict is %v", x.Verdict, x.Found)
	}
	x.differences(x.Reports)
	if x.Procs > x.MinProcs && x.Verdict != mutants.Equivalent {
		below, err := judge(x.Procs-1, x.brokenAtAnyCost())
		if err != nil {
			return err
		}
		if found, _ := x.gravest(below); !x.Verdict.Graver(found) {
			x.wrong("its entry says that it needs n = %d, and the verdict for n = %d is %v", x.Procs, x.Procs-1, found)
		}
	}
	return nil
}

// brokenAtAnyCost reports whether the verdict of the entry is graver than the loss of a claim. Such
// a verdict does not depend on the costs of passages.
func (x *Checked) brokenAtAnyCost() bool {
	return x.Verdict != mutants.Equivalent && x.Verdict.Claim() == ""
}

func (x *Checked) wrong(format string, args ...any) {
	x.Wrong = append(x.Wrong, fmt.Sprintf(format, args...))
}

// differences compares the class, and the registers if the entry says what they are, with
// the lock's operations.
func (x *Checked) differences(reports []*check.Report) {
	r := reports[len(reports)-1] // in all modes, as the class and the registers of a specification
	for _, of := range reports {
		if x.Found == mutants.Equivalent && !of.Exhausted && of.Refused == "" {
			x.wrong("not decided: stopped after %d states", of.States)
		}
		switch {
		case of.Refused != "":
			x.wrong("not compared with the compiled code: %s", of.Refused)
		case of.Replay != nil && (of.Replay.Omitted != "" || len(of.Counterexamples) != of.Replay.Counterexamples):
			x.wrong("not compared with the compiled code: %s", of.Replay.Omitted)
		}
	}
	if !r.Exhausted || r.N < 2 || x.Of == "" || r.Crashes != nil {
		return
	}
	if r.Class != x.Class.String() {
		x.wrong("the class is %v, its entry or its lock says %v", r.Class, x.Class)
	}
	if x.OtherSpace {
		x.Wrong = append(x.Wrong, r.SpaceDisagreements(x.Space)...)
	}
}

// gravest returns the gravest verdict of the reports, and the first that has it.
func (x *Checked) gravest(reports []*check.Report) (v mutants.Verdict, of *check.Report) {
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
func (x *Checked) verdict(r *check.Report) mutants.Verdict {
	claimed := x.Claims.StarvationFree
	switch {
	case r.Modes != nil:
		claimed = x.Claims.Mixed.Writers.StarvationFree
	case r.Crashes != nil:
		claimed = x.Claims.Recovery != nil && x.Claims.Recovery.StarvationFree
	}
	found := Broken(r)
	switch {
	case found != mutants.Equivalent && (found != mutants.Starvation || claimed):
		return found
	case r.Loss(x.Verdict.Claim()) != nil:
		return x.Verdict
	case len(r.Lost()) > 0:
		return mutants.Loses(r.Lost()[0].Claim)
	}
	return mutants.Equivalent
}

// Broken is the verdict of a report in the terms of the mutants: on the properties that
// every lock must have, and on starvation freedom.
func Broken(r *check.Report) mutants.Verdict {
	switch {
	case r.MutualExclusion == check.Violated:
		return mutants.Safety
	case r.DeadlockFreedom == check.Violated || r.ExitProgress == check.Violated:
		return mutants.Deadlock
	case r.StarvationFreedom == check.Violated:
		return mutants.Starvation
	}
	return mutants.Equivalent
}

// Trace returns the execution that shows what is broken, or nil.
func (x *Checked) Trace() *check.Trace {
	properties := map[mutants.Verdict][]string{mutants.Safety: {check.MutualExclusion}, mutants.Deadlock: {check.DeadlockFreedom, check.ExitProgress}, mutants.Starvation: {check.StarvationFreedom}}
	for _, p := range append(properties[x.Found], x.Found.Claim()) {
		if t := x.Report.Counterexample(p); t != nil {
			return t
		}
	}
	return nil
}

// Err returns an error that names the first mutant that is not what its entry says, or nil.
func (all All) Err() error {
	i := slices.IndexFunc(all, func(x *Checked) bool { return len(x.Wrong) > 0 })
	if i < 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", all[i].Name, all[i].Wrong[0])
}
