// Package verifytest compares the verdicts on algorithms in small systems, their stated costs,
// and a run of each algorithm, with files.
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

var update = flag.Bool("update", false, "write testdata/verdicts.tsv, testdata/costs.tsv and testdata/runs.txt")

const file = "testdata/verdicts.tsv"

// Algorithms explores correct algorithms and mutants in the trials of the package verify.
// No trial refutes a claim of a correct algorithm. The verdicts and numbers of states must
// be those of testdata/verdicts.tsv. A fault that leaves every verdict the same often
// changes the number of states.
//
// With -update, Algorithms runs all trials and writes the trials that maxStates states
// decide. Without it, Algorithms runs only the trials in the file.
func Algorithms(t *testing.T, maxStates int, correct, mutants []distributed.Algorithm) {
	t.Helper()
	trials := trialsInFile(t)
	compare(t, correct, mutants, func(a distributed.Algorithm) (string, []verify.Verdict, error) {
		verdicts, err := verify.Algorithm(t.Context(), &a, maxStates, trials[a.Name]...)
		return a.Name, verdicts, err
	})
}

// trialsInFile returns the names of the trials in testdata/verdicts.tsv, by algorithm. With
// -update it returns none.
func trialsInFile(t *testing.T) map[string][]string {
	trials := map[string][]string{}
	if *update {
		return trials
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		row := strings.Split(line, "\t")
		trials[row[0]] = append(trials[row[0]], row[1])
	}
	return trials
}

// Elections does for elections what [Algorithms] does for algorithms, but always runs all
// trials.
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
	found.WriteString("algorithm\ttrial\tclaimed\tverdict\tstates\n")
	write := func(a A, isCorrect bool) {
		name, verdicts, err := try(a)
		require.NoError(t, err)
		for _, v := range verdicts {
			require.False(t, isCorrect && v.Refuted(), "%s: %+v", name, v)
			if v.Decided { // otherwise the number of states is only the limit
				fmt.Fprintf(&found, "%s\t%s\t%v\t%s\t%d\n", name, v.Trial, v.Claimed, v, v.States)
			}
		}
	}
	for _, a := range correct {
		write(a, true)
	}
	for _, a := range mutants {
		write(a, false)
	}
	same(t, file, found.String())
}

// same requires that the file has this text. With -update it writes the file first.
func same(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "-update writes %s", file)
}
