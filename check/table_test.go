package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// TestResultsLeaveOut: the table has the locks of reads and writes that were proved, wherever they
// stand among the reports, each with its largest number of processes.
func TestResultsLeaveOut(t *testing.T) {
	of := func(name string, n int, change func(r *Report)) *Report {
		bypass := shm.Unbounded
		r := &Report{Algorithm: name, N: n, Class: shm.ReadWrite.String(), Exhausted: true, spec: new(shm.Algorithm), Bypass: &bypass}
		r.setAll(Holds)
		if change != nil {
			change(r)
		}
		return r
	}
	var table strings.Builder
	require.NoError(t, Results{
		of("a/refused", 2, func(r *Report) { r.Refused = "it calls os.Getpid" }),
		of("a/good", 2, nil),
		of("a/variant", 2, func(r *Report) { r.spec.VariantOf = "a/good" }),
		of("a/swap", 2, func(r *Report) { r.Class = shm.Swap.String() }),
		of("a/cut", 2, func(r *Report) { r.Exhausted = false }),
		of("a/broken", 2, func(r *Report) { r.MutualExclusion = Violated }),
		of("a/other", 2, func(r *Report) { r.StarvationFreedom = Violated }),
		of("a/good", 3, nil),
	}.WriteText(&table))
	require.Regexp(t, `(?m)^deadlock-free +a/other +2 `, table.String())
	require.Regexp(t, `(?m)^starvation-free +a/good +3 `, table.String())
	require.Len(t, strings.Split(strings.TrimSpace(table.String()), "\n"), 5, table.String())
}
