package main

import (
	"fmt"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/stress"
)

// printReports prints a line a lock, and then whatever is not acceptable.
func printReports(e env, f stressFlags, complete bool, reports []*stress.Report) error {
	if f.json {
		return writeJSON(e.Stdout, "stress", complete, reports)
	}
	if len(reports) > 0 && reports[0].Processors > 0 { // 0: the program crashed before it built a lock
		if _, err := fmt.Fprintln(e.Stdout, heading(reports[0], f)); err != nil {
			return err
		}
	}
	w := table.New(e.Stdout, "lock", "procs", "locks built", "phases", "passages", "waits watched", "interesting", "forbidden")
	for _, r := range reports {
		fmt.Fprintf(w, "%s\t%v\t%d\t%d\t%d\t%d\t%d\t%d\n", r.Algorithm, cli.IntList(r.Procs), r.Strides, r.Phases,
			r.Passages(), r.Count(stress.Acceptable), r.Count(stress.Interesting), r.Count(stress.Forbidden))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range reports {
		if r.Count(stress.Interesting)+r.Count(stress.Forbidden) == 0 {
			continue
		}
		fmt.Fprintln(e.Stdout)
		if err := r.WriteText(e.Stdout); err != nil {
			return err
		}
		if r.Found != nil {
			which := fmt.Sprintf("-alg '^%s$'", r.Algorithm)
			if f.pkg != nil {
				which = cli.Quote(f.pkg.String())
			}
			if r.Topology != "" {
				which += " -topology " + r.Topology
			}
			if r.Processes {
				which += " -between processes"
			}
			if f.perturb {
				which += " -perturb"
			}
			if f.race {
				which += " -race"
			}
			if len(r.Procs) > 0 {
				which += fmt.Sprintf(" -procs %v", cli.IntList(r.Procs))
			}
			fmt.Fprintf(e.Stdout, "  the same plan again: shmbench stress %s -seed %d -d %v\n", which, r.Seed, f.d)
		}
	}
	return nil
}

// heading says under which conditions the locks were stressed.
func heading(r *stress.Report, f stressFlags) string {
	text := fmt.Sprintf("%d processors; ", r.Processors)
	if r.Processes {
		text += "processes of the operating system, in memory that they share"
	} else if r.Pinned {
		text += "processes pinned while there are processors enough"
	} else {
		text += "processes not pinned, which this system does not offer"
	}
	if f.perturb {
		text += "; atomics disturbed"
	}
	if f.race {
		text += "; under the race detector"
	}
	return text
}

// newKill judges the report on a mutant. A mutant that breaks safety, hangs or panics
// must be killed, by whichever oracle. A mutant that starves a process or loses another
// claim may survive, because no run lasts forever. An equivalent mutant must survive.
func newKill(m mutants.Mutant, r *stress.Report) *stress.Kill {
	k := &stress.Kill{Mutant: m.Name, Broken: m.Broken, Procs: m.Procs, MustGet: string(m.Verdict), Got: "nothing",
		Seconds: r.Seconds, Passages: r.Passages(), Seed: r.Seed, OutOfReach: m.OutOfReach}
	switch {
	case r.Found != nil:
		k.Got, k.Oracle, k.Procs, k.Seconds, k.Passages = stress.Killed, r.Found.Oracle, r.Found.Procs, r.Found.Seconds, r.Found.Passages
	case r.Count(stress.Interesting) > 0:
		k.Got = "interesting"
	}
	switch m.Verdict {
	case mutants.Safety, mutants.Deadlock, mutants.Loses(check.PanicFreedom):
		k.AsExpected = r.Found != nil || m.OutOfReach != ""
	case mutants.Equivalent:
		k.AsExpected = r.Found == nil
	default:
		k.AsExpected = true
	}
	return k
}

// printKills prints the kill table, and returns errViolated if it is not as
// expected.
func printKills(e env, f stressFlags, complete bool, kills []*stress.Kill) error {
	unexpected := 0
	for _, k := range kills {
		if !k.AsExpected {
			unexpected++
		}
	}
	var err error
	if f.json {
		err = writeJSON(e.Stdout, "stress", complete, kills)
	} else {
		err = printKillTable(e, kills, unexpected)
	}
	if err == nil && unexpected > 0 {
		err = errViolated
	}
	return err
}

func printKillTable(e env, kills []*stress.Kill, unexpected int) error {
	w := table.New(e.Stdout, "mutant", "procs", "must get", "got", "by", "seconds", "passages", "")
	for _, k := range kills {
		note := ""
		switch {
		case !k.AsExpected:
			note = "NOT AS EXPECTED"
		case k.Got != stress.Killed && k.OutOfReach != "":
			note = "undecided: " + k.OutOfReach
		}
		fmt.Fprintf(w, "%s\t%d\t%v\t%s\t%s\t%.3f\t%d\t%s\n", k.Mutant, k.Procs, k.MustGet, k.Got, k.Oracle, k.Seconds, k.Passages, note)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.Stdout, "\n%d mutants, %d not as expected\n", len(kills), unexpected)
	return err
}
