package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/bench/forks"
	"shmbench/catalog"
	"shmbench/shm"
)

// What a lock does that is wrong is a violation, whatever else goes wrong after it.
func TestAWrongLockIsAViolation(t *testing.T) {
	a, err := catalog.Get("tas/tas")
	require.NoError(t, err)
	suite := bench.Suite{Algorithms: catalog.All(), Procs: []int{2}, Count: 1}
	for _, c := range []struct {
		err   error
		wrong bool
	}{
		{&bench.BrokenError{Procs: 2, Passages: 10}, true},
		{&bench.StuckError{Where: "\n  process 0: here"}, true},
		{&forks.PanicError{Says: "panic: in Lock"}, true},
		{bench.ErrIdle, false},
	} {
		failed := fmt.Errorf("tas/tas: %w", c.err)
		var here strings.Builder
		r := newRecorder(&here, suite, 1, "")
		r.Start(suite)
		r.Failed(bench.Case{Algorithm: a, Procs: 2}, failed)
		require.Equal(t, c.wrong, r.violated)
		require.Equal(t, "2 processes: "+failed.Error()+"\n", last(here.String(), "2 processes: "))
		later := errors.New("something else")
		if c.wrong {
			require.NoError(t, r.end(t.Context(), later))
			require.ErrorIs(t, r.verdict(t.Context()), errViolated)
		} else {
			require.ErrorIs(t, r.end(t.Context(), later), later)
		}
	}
}

// TestAMissingSample: a sample that was not taken leaves something undone, also if other samples
// of the same lock were taken. A violation is graver.
func TestAMissingSample(t *testing.T) {
	a, err := catalog.Get("tas/tas")
	require.NoError(t, err)
	suite := bench.Suite{Algorithms: []shm.Algorithm{a}, Procs: []int{2}, Count: 3}
	for taken, want := range []string{"0 of 3 samples were taken", "1 of 3 samples were taken", "2 of 3 samples were taken", ""} {
		var here, out strings.Builder
		r := newRecorder(&here, suite, 1, "")
		r.Start(suite)
		for range taken {
			require.NoError(t, r.Line(bench.Line{Name: bench.Workload{Procs: 2}.Name(a.Name), Iterations: 1}))
		}
		require.NoError(t, r.writeJSON(t.Context(), &out, nil, nil))
		require.Equal(t, want == "", strings.Contains(out.String(), `"complete": true`))
		if err := r.verdict(t.Context()); want != "" {
			require.EqualError(t, err, want)
		} else {
			require.NoError(t, err)
		}
		r.violated = true
		require.ErrorIs(t, r.verdict(t.Context()), errViolated)
	}
}

// The progress line names the lock that is being measured.
func TestProgressNamesTheLock(t *testing.T) {
	a, err := catalog.Get("tas/tas")
	require.NoError(t, err)
	suite := bench.Suite{Algorithms: catalog.All(), Procs: []int{2}, Count: 9}
	r := newRecorder(new(strings.Builder), suite, 1, "")
	r.Start(suite)
	require.Equal(t, "round 3 of 9, 2 processes, tas/tas", r.doing(bench.Case{Algorithm: a, Procs: 2}, 2))
	r = newRecorder(new(strings.Builder), suite, 2, "")
	suite.Workload.CS = 100
	r.Start(suite)
	require.Equal(t, "cs 100ns, ncs 0s, round 1 of 9, 1 process, tas/tas", r.doing(bench.Case{Algorithm: a, Procs: 1}, 0))
}

// last is what follows the last mark in a text, with it.
func last(text, mark string) string { return text[strings.LastIndex(text, mark):] }
