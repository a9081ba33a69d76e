package mutants_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/catalog/mutants/byhand"
	"shmbench/internal/run/isolate"
	"shmbench/internal/testkit/sample"
	"shmbench/locktest"
	"shmbench/stress"
)

// TestSpecifications: every mutant has a name of its own, says what is broken, shows it
// for an n that its specification allows, and says nothing that contradicts itself.
func TestSpecifications(t *testing.T) {
	seen := make(map[string]bool)
	for _, m := range mutants.All() {
		require.True(t, strings.HasPrefix(m.Name, "mutants/"), m.Name)
		require.False(t, seen[m.Name], m.Name)
		seen[m.Name] = true
		require.NotEmpty(t, m.Broken, m.Name)
		require.GreaterOrEqual(t, m.Procs, m.MinProcs, m.Name)
		require.LessOrEqual(t, m.Procs, m.MaxProcs, m.Name)
		require.Nil(t, m.New, m.Name)
		require.Equal(t, m.Of != "", len(m.Edits) > 0, m.Name)
		_, err := catalog.Get(m.Name)
		require.Error(t, err, "a broken lock must not be in the catalog")
	}
	require.True(t, seen["mutants/mcs-never-locked"])
}

// TestByHand: the mutants that are written by hand are locks that can be built.
func TestByHand(t *testing.T) {
	for _, a := range byhand.Specs() {
		require.NoError(t, locktest.Verify(t.Context(), a, locktest.Options{
			Rules: []string{"specification agrees with itself", "New refuses a wrong n"},
		}))
	}
}

// TestFamilies: every family has a mutant of each verdict that it can have.
func TestFamilies(t *testing.T) {
	have := make(map[string]map[mutants.Verdict]bool)
	for _, m := range mutants.All() {
		family, _, _ := strings.Cut(strings.TrimPrefix(m.Name, "mutants/"), "-")
		if have[family] == nil {
			have[family] = make(map[mutants.Verdict]bool)
		}
		have[family][m.Verdict] = true
	}
	for _, family := range []string{"bakery", "dekker", "peterson", "asymmetric", "priority", "filter", "tournament", "tas", "ticket", "anderson", "mcs", "clh"} {
		require.True(t, have[family][mutants.Safety], family)
		require.True(t, have[family][mutants.Deadlock], family)
	}
}

// TestSource: every edit applies to the source of its lock as it is now. The error of one
// that does not names the mutant and the lock.
func TestSource(t *testing.T) {
	program, err := mutants.Source(t.Context(), mutants.All())
	require.NoError(t, err)
	edited := 0
	for _, m := range mutants.All() {
		if m.Of != "" {
			edited++
		}
	}
	require.Greater(t, len(program.Packages), edited)
}

// TestBuild: the runner has the mutants that were asked for, and stress-tests them.
func TestBuild(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	var some []mutants.Mutant
	for _, m := range mutants.All() {
		if m.Name == "mutants/peterson-turn-other" || m.Name == "mutants/two-locks-opposite" || m.Name == "mutants/tournament-node-released" {
			some = append(some, m)
		}
	}
	require.Len(t, some, 3)
	runner, err := mutants.Build(t.Context(), some, nil)
	require.NoError(t, err)
	ask := func(name string) (*stress.Report, error) {
		o := stress.Options{Procs: []int{2}, Duration: 1e8, Seed: 1}
		return isolate.Ask[stress.Trial, *stress.Report](t.Context(), runner.Program, stress.Service, stress.Trial{Lock: name, Options: o})
	}
	for _, m := range some {
		r, err := ask(m.Name)
		require.NoError(t, err, m.Name)
		require.Equal(t, m.Name, r.Algorithm)
	}
	_, err = ask("mutants/mcs-tail-kept")
	require.ErrorContains(t, err, "no mutant mutants/mcs-tail-kept")
	runner.Close()
	require.NoFileExists(t, runner.Program)
}

// TestBuildNeedsGo: without the go command the error says so in a line.
func TestBuildNeedsGo(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := exec.LookPath("go")
	require.Error(t, err)
	_, err = mutants.Build(t.Context(), mutants.All()[:1], nil)
	require.ErrorContains(t, err, "needs the Go toolchain")
	require.NotContains(t, err.Error(), "\n")
}

// TestJSON: a mutant names its lock and its edits.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(mutants.All()[0])
	require.NoError(t, err)
	require.Contains(t, string(text), `"of":"`)
	require.Contains(t, string(text), `"edits":["`)
}
