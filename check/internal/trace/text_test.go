package trace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/source"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// TestHeading: the first line of a trace says what the execution shows.
func TestHeading(t *testing.T) {
	origin := source.Origin{Algorithm: "tas/tas"}
	for _, c := range []struct {
		trace Trace
		want  string
	}{
		{Trace{Property: verdict.StarvationFreedom, End: "so"}, "starvation freedom is violated for n = 2: so"},
		{Trace{Property: verdict.StarvationFreedom, End: "so", Unclaimed: true}, "The lock does not prevent starvation for n = 2, and claims no such thing: in this schedule so"},
		{Trace{Property: verdict.MutualExclusion, End: "so", Unclaimed: true}, "mutual exclusion is violated for n = 2: so"},
		{Trace{Property: verdict.MutualExclusion, End: "so", RegisterModel: shm.Safe}, "mutual exclusion is violated on safe registers for n = 2: so"},
		{Trace{Property: verdict.MutualExclusion, End: "so", Mixed: true}, "mutual exclusion is violated in all modes for n = 2: so"},
		{Trace{Property: verdict.MutualExclusion, End: "so", Crashes: "any"}, "mutual exclusion is violated under crashes for n = 2: so"},
		{Trace{Property: verdict.BoundedExit, End: "so", Unclaimed: true, Crashes: "1", Mixed: true}, "The lock does not bound the steps of its exit section under crashes for n = 2, and claims no such thing: in this schedule so"},
		{Trace{}, "tas/tas, n = 2, as it is scheduled"},
		{Trace{Bound: "bypass 3", End: "so"}, "tas/tas, n = 2, bypass 3: so"},
	} {
		c.trace.Origin, c.trace.N = origin, 2
		require.Equal(t, c.want+"\nNo process has accessed shared memory before.\n", c.trace.String())
	}
	require.Equal(t, "(no trace)", (*Trace)(nil).String())
}

// TestTable: each step is in the column of its process. The steps that a bound counts have a mark,
// and a line of its own is before the cycle.
func TestTable(t *testing.T) {
	trace := Trace{Property: verdict.StarvationFreedom, N: 3, End: "so", Cycle: 1, Counted: []int{2}, Steps: []execution.Step{
		{Process: 0, Op: "store", Register: "a", After: "1", File: "x.go", Line: 4, Label: "1"},
		{Process: 2, Op: "load", Register: "a", Before: "1", File: "x.go", Line: 7},
		{Process: 1, Op: "pass", Turn: "enters"},
	}}
	require.Equal(t, strings.Join([]string{
		"starvation freedom is violated for n = 3: so",
		"step    process 0  process 1        process 2  source",
		"1       1  a := 1                              x.go:4",
		"cycle:",
		"2                                   a = 1      x.go:7",
		"3 *                passes [enters]",
		"",
	}, "\n"), trace.String())
}

// TestTableOfBuffers: with store buffers, a column says which stores have not reached memory.
func TestTableOfBuffers(t *testing.T) {
	store := func(pid int, register string, buffered bool) execution.Step {
		return execution.Step{Process: pid, Op: "store", Register: register, After: "1", File: "x.go", Line: 4, Buffered: buffered}
	}
	flush := func(pid int, register string) execution.Step {
		return execution.Step{Process: pid, Op: execution.Flush, Register: register, After: "1", File: "x.go", Line: 4}
	}
	trace := Trace{Property: verdict.MutualExclusion, N: 2, Memory: "tso", End: "so", Cycle: 2, Steps: []execution.Step{
		store(0, "a", true), store(0, "b", true), store(1, "c", true), flush(0, "a"), store(1, "d", false), flush(0, "b"), flush(1, "c"), flush(1, "c"),
	}}
	require.Equal(t, strings.Join([]string{
		"mutual exclusion is violated for n = 2: so",
		"step    process 0            process 1            not in memory yet             source",
		"1       a := 1                                    0: a := 1                     x.go:4",
		"2       b := 1                                    0: a := 1, b := 1             x.go:4",
		"cycle:",
		"3                            c := 1               0: a := 1, b := 1; 1: c := 1  x.go:4",
		"4       a := 1 is in memory                       0: b := 1; 1: c := 1          x.go:4",
		"5                            d := 1               0: b := 1; 1: c := 1          x.go:4",
		"6       b := 1 is in memory                       1: c := 1                     x.go:4",
		"7                            c := 1 is in memory                                x.go:4",
		"8                            c := 1 is in memory                                x.go:4",
		"",
	}, "\n"), trace.String())
}

// TestTrimLines: blanks are removed at the ends of all lines, and nowhere else.
func TestTrimLines(t *testing.T) {
	for text, want := range map[string]string{"": "", "a  ": "a", " a b ": " a b", "a \n\n b  \n": "a\n\n b\n", "a\t \nb": "a\t\nb"} {
		require.Equal(t, want, TrimLines(text))
	}
}
