// Package verifytest compares the verdicts on algorithms in small systems with a file.
package verifytest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/verify"
)

var update = flag.Bool("update", false, "write testdata/verdicts.tsv")

const file = "testdata/verdicts.tsv"

// Algorithms explores correct algorithms and mutants in every trial of the package
// verify, with up to maxStates states. No trial refutes a claim of a correct algorithm.
// The verdicts and numbers of states must be those of testdata/verdicts.tsv. A fault
// that leaves every verdict the same often changes the number of states.
func Algorithms(t *testing.T, maxStates int, correct, mutants []distributed.Algorithm) {
	t.Helper()
	compare(t, correct, mutants, func(a distributed.Algorithm) (string, []verify.Verdict, error) {
		verdicts, err := verify.Algorithm(t.Context(), &a, maxStates)
		return a.Name, verdicts, err
	})
}

// Elections does for elections what [Algorithms] does for algorithms.
func Elections(t *testing.T, maxStates int, correct, mutants []*election.Algorithm) {
	t.Helper()
	compare(t, correct, mutants, func(a *election.Algorithm) (string, []verify.Verdict, error) {
		verdicts, err := verify.Election(t.Context(), a, maxStates)
		return a.Name, verdicts, err
	})
}

func compare[A any](t *testing.T, correct, mutants []A, try func(a A) (string, []verify.Verdict, error)) {
	t.Helper()
	var found strings.Builder
	found.WriteString("algorithm\ttrial\tverdict\tstates\n")
	write := func(a A, isCorrect bool) {
		name, verdicts, err := try(a)
		require.NoError(t, err)
		for _, v := range verdicts {
			require.False(t, isCorrect && v.Refuted(), "%s: %+v", name, v)
			if v.Decided { // otherwise the number of states is only the limit
				fmt.Fprintf(&found, "%s\t%s\t%s\t%d\n", name, v.Trial, v, v.States)
			}
		}
	}
	for _, a := range correct {
		write(a, true)
	}
	for _, a := range mutants {
		write(a, false)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(found.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), found.String(), "-update writes %s", file)
}
