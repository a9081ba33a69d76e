package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/internal/cli/table"
)

// crashed reports whether the reports are of locks whose processes crash.
func (reports Table) crashed() bool {
	return slices.ContainsFunc(reports, func(r *Report) bool { return r.Crashes != nil })
}

// writeCrashes prints a line for each report on crashes.
func (reports Table) writeCrashes(w io.Writer) error {
	t := table.New(w, "under crashes", "n", "crashes", "passages", "states", "exclusion", "re-entry", "deadlock", "starved", "strongly", "FCFS", "exit", "re-entry steps", "recovery steps", "exit steps", "RMR (cc, dsm)", "specification")
	for _, r := range reports {
		if r.Refused != "" || r.Crashes == nil {
			fmt.Fprintf(t, "%s\t%d\t\t\t\tundecided: %s\n", r.Algorithm, r.N, r.Refused)
			continue
		}
		c := r.Crashes
		cells := []string{r.Algorithm, fmt.Sprint(r.N), c.Crashes, r.passages(), r.Visited(), r.MutualExclusion.plain().safe(), c.Reentry.plain().safe(),
			r.DeadlockFreedom.plain().free(), r.starves(), c.StrongStarvationFreedom.plain().word("none", "some"), r.order(), r.ExitProgress.plain().ends(),
			bound(c.ReentrySteps), c.recovery(), bound(c.ExitSteps), c.remote(), r.recoveryAgreement()}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	fmt.Fprintln(t, reports.seconds())
	return t.Flush()
}

// plain returns the verdict without its bounds, which have their own columns.
func (v Verdict) plain() Verdict {
	if v.Holds() && !strings.HasSuffix(string(v), notReplayed) {
		return Holds
	}
	return v
}

// starves names the processes that can starve, or says that none can.
func (r *Report) starves() string {
	if r.StarvationFreedom.Holds() {
		return r.StarvationFreedom.plain().word("none", "")
	}
	return r.starved()
}

// order says whether processes enter in the order of their doorways, and whether one that
// crashes while it waits keeps its place.
func (r *Report) order() string {
	if r.FCFS.Holds() && r.Crashes.StrongFCFS == Violated {
		return "until a crash"
	}
	return r.Crashes.StrongFCFS.plain().yes()
}

// recovery returns the bound on Recover, if the lock has this method.
func (c *CrashVerdicts) recovery() string {
	if !c.Recovers {
		return "no Recover"
	}
	return bound(c.RecoverySteps)
}

// remote returns the most remote memory references of a passage with write-through
// caches and with distributed memory.
func (c *CrashVerdicts) remote() string {
	if c.RMR == nil {
		return "?"
	}
	return bound(c.RMR.WriteThrough.Among) + ", " + bound(c.RMR.DSM.Among)
}
