package check

import (
	"fmt"
	"io"

	"shmbench/internal/cli/table"
)

// upTo says what the states are counted up to, if it is anything.
func (r *Report) upTo() string {
	if r.Renamings == 0 {
		return ""
	}
	return " up to renaming of processes"
}

// writeSafety prints a line for each report on the properties of single states and deadlock freedom.
func (reports Table) writeSafety(w io.Writer) error {
	t := table.New(w)
	fmt.Fprintln(t, "lock\tn\tpassages\tstates\tmemory\texclusion\tdeadlock\traces\tpanics\tinvariants")
	for _, r := range reports {
		if r.Refused != "" {
			fmt.Fprintf(t, "%s\t%d\t\t\tundecided: %s\n", r.Algorithm+r.inAllModes(), r.N, r.Refused)
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%.0f MB\t%s\t%s\t%s\t%s\t%s\n", r.Algorithm+r.inAllModes(), r.N, r.passages(), r.Visited(), float64(r.Bytes)/1e6,
			r.MutualExclusion.safe(), r.DeadlockFreedom.free(), r.DataRaceFreedom.word("none", "RACES"), r.PanicFreedom.word("none", "PANICS"), r.invariants())
	}
	reports.writeNames(t, "States that differ by a renaming of processes, registers and values count as one", func(r *Report) bool { return r.Renamings > 0 })
	reports.writeNames(t, "Partial-order reduction left out states, because a search with all of them reached a bound", func(r *Report) bool { return r.PartialOrder })
	fmt.Fprintln(t, reports.seconds())
	return t.Flush()
}
