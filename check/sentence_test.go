package check_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// Each verdict is a sentence of its own.
func TestSentence(t *testing.T) {
	correct := check.Report{Algorithm: "a/b", N: 3, MutualExclusion: check.Holds, DeadlockFreedom: check.Holds, StarvationFreedom: check.Holds, FCFS: check.Holds, Exhausted: true}
	for want, change := range map[string]func(*check.Report){
		"a/b is correct for n = 3: mutual exclusion, deadlock freedom, starvation freedom and first-come-first-served order hold.": func(*check.Report) {},
		"a/b is correct for n = 3: mutual exclusion and deadlock freedom hold; processes 1 and 2 can starve.": func(r *check.Report) {
			r.StarvationFreedom, r.FCFS, r.Starved = check.Violated, check.NoDoorway, []int{1, 2}
		},
		"a/b is correct for n = 3: mutual exclusion and deadlock freedom hold; any process can starve.": func(r *check.Report) {
			r.StarvationFreedom, r.FCFS, r.Starved = check.Violated, check.Violated, []int{0, 1, 2}
		},
		"a/b is correct for n = 3 under total store order: mutual exclusion holds; process 2 can starve.": func(r *check.Report) {
			r.Memory, r.Starved = "tso", []int{2}
			r.MutualExclusion, r.DeadlockFreedom, r.StarvationFreedom, r.FCFS = check.Holds, check.OfLockAlone, check.Violated, check.Violated
		},
		"a/b is wrong for n = 3: mutual exclusion is violated.": func(r *check.Report) {
			r.MutualExclusion, r.Disagreements = check.Violated, []string{"mutual exclusion is violated", "the bypass is 0, the specification says 1"}
		},
		"a/b is wrong for n = 3: mutual exclusion is violated; panic freedom is violated.": func(r *check.Report) {
			r.MutualExclusion, r.PanicFreedom = check.Violated, check.Violated
		},
		"a/b is wrong for n = 3: the bypass is 1, the specification says 0.": func(r *check.Report) { r.Disagreements = []string{"the bypass is 1, the specification says 0"} },
		"a/b is undecided for n = 3 on safe registers: stopped after 7 states.": func(r *check.Report) {
			r.RegisterModel, r.Undecided = "safe", []check.Undecided{{Why: "stopped after 7 states"}}
		},
		"a/b is undecided for n = 3: it takes a lock of package sync.": func(r *check.Report) { r.Refused = "it takes a lock of package sync" },
	} {
		r := correct
		change(&r)
		require.Equal(t, want, r.Sentence())
	}
}

// A table of many locks has no sentences: they would hide it.
func TestSentencesOfATable(t *testing.T) {
	text := func(reports int) string {
		var table check.Table
		for range reports {
			table = append(table, &check.Report{Algorithm: "a/b", N: 2, MutualExclusion: check.Holds})
		}
		var text bytes.Buffer
		require.NoError(t, table.WriteText(&text))
		return text.String()
	}
	require.Regexp(t, `^a/b is correct for n = 2: mutual exclusion holds\.\n\nlock `, text(1))
	require.Regexp(t, `^lock `, text(9))
}
