package check_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// lineOf is the line of a table that a report has, counted from its header.
func lineOf(t *testing.T, r *check.Report, line int) string {
	var text bytes.Buffer
	require.NoError(t, check.Table{r}.WriteText(&text))
	lines := bytes.Split(text.Bytes(), []byte("\n"))[2:] // a sentence before the table
	return string(lines[line])
}

// A row whose execution panicked, or let two processes in, says so, and no cell of it
// reassures.
func TestARowOfAViolation(t *testing.T) {
	bypass := 1
	r := &check.Report{Algorithm: "a/b", N: 3, MutualExclusion: check.Holds, DeadlockFreedom: check.Holds, StarvationFreedom: check.Violated, Starved: []int{1, 2},
		FCFS: check.Holds, ExitProgress: check.Holds, PanicFreedom: check.Holds, Bypass: &bypass, Invariants: []check.Invariant{{Verdict: check.Holds}}}
	require.Regexp(t, `^a/b +3 +any +0, not all +yes +free +1 2 +1 +yes +ends +1 hold `, lineOf(t, r, 1))
	r.MutualExclusion = check.Violated
	require.Regexp(t, `^a/b +3 +any +0, not all +BROKEN +- +1 2 +- +- +- +- `, lineOf(t, r, 1))
	r.DeadlockFreedom, r.Invariants[0].Verdict = check.Violated, check.Violated
	require.Regexp(t, `^a/b +3 +any +0, not all +BROKEN +DEADLOCK +1 2 +- +- +- +BROKEN `, lineOf(t, r, 1))
	r.PanicFreedom = check.Violated
	require.Regexp(t, `^a/b +3 +any +0, not all +PANICS +- +- +- +- +- +- `, lineOf(t, r, 1))
}

// The same in the table of modes, whose columns are others.
func TestARowOfModesOfAViolation(t *testing.T) {
	r := &check.Report{Algorithm: "a/b", N: 2, MutualExclusion: check.Holds, PanicFreedom: check.Holds,
		Modes: &check.Modes{ReadersTogether: check.Holds, NoEffect: check.Violated, WaitFreeTry: check.Holds}}
	const row = 4 // a header, the lock, an empty line, a header
	require.Regexp(t, `^a/b +2 +yes +- +- +- +NO +yes +- +- *$`, lineOf(t, r, row))
	r.MutualExclusion = check.Violated
	require.Regexp(t, `^a/b +2 +- +- +- +- +NO +- +- +- *$`, lineOf(t, r, row))
	r.PanicFreedom = check.Violated
	require.Regexp(t, `^a/b +2 +- +- +- +- +- +- +- +- *$`, lineOf(t, r, row))
}

// What overflowing words would break is said once for each lock, after the verdicts.
func TestOverflowIsSaidOnce(t *testing.T) {
	o := &check.Overflow{Modulo: 4, Words: "uint64", MutualExclusion: check.Violated, DeadlockFreedom: check.Holds, StarvationFreedom: check.Violated}
	var text bytes.Buffer
	require.NoError(t, check.Table{{Algorithm: "a/b", N: 2, Overflow: o}, {Algorithm: "a/b", N: 3, Overflow: o}}.WriteText(&text))
	require.Contains(t, text.String(), "\na/b, n = 2: the verdict is about uint64 words that do not overflow. With 2-bit words and any number of passages, mutual exclusion and starvation freedom would fail.\n")
	require.Equal(t, 1, bytes.Count(text.Bytes(), []byte("would fail")))
}
