package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/internal/testkit/treetest"
	"shmbench/shm"
	"shmbench/stress"
)

// shmbenchStress runs one command line and returns what it printed.
func shmbenchStress(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), env{Stdout: &out, Stderr: &errs}, append([]string{"stress"}, args...))
	return code, out.String(), errs.String()
}

func TestStress(t *testing.T) {
	code, stdout, stderr := shmbenchStress(t, "-alg", "^(tas/tas|peterson/peterson)$", "-d", "20ms", "-procs", "3")
	require.Equal(t, exitHolds, code, stderr)
	require.Contains(t, stdout, "tas/tas")
	require.NotContains(t, stdout, "peterson/peterson")
	require.Contains(t, stderr, "left out: peterson/peterson: cannot be built for n = 3")

	deadline.Try(t, 0.5, func() bool { // on a busy machine there may be no passage
		code, stdout, stderr = shmbenchStress(t, "-alg", "^tas/tas$", "-d", "200ms", "-seed", "7", "-json")
		require.Equal(t, exitHolds, code, stderr)
		var reports []stress.Report
		decode(t, stdout, &reports)
		require.Len(t, reports, 1)
		require.Equal(t, uint64(7), reports[0].Seed)
		require.Empty(t, stderr, "progress is for terminals")
		return reports[0].Passages() > 0
	})
}

// untilFound is a value of -d for a lock whose fault ends the run.
func untilFound(t *testing.T) string { return deadline.Half(t).Round(time.Millisecond).String() }

// TestStressMutants: broken locks are killed, also those that hang, and an
// equivalent one is not.
func TestStressMutants(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	got := make(map[string]string)
	for duration, mutants := range map[string]string{untilFound(t): "peterson-turn-other|tas-no-reset", "1s": "tas-swap-exit"} {
		code, stdout, stderr := shmbenchStress(t, "-mutants", "-json", "-d", duration, "-alg", "^mutants/("+mutants+")$")
		require.Equal(t, exitHolds, code, stderr+stdout)
		var table []struct{ Mutant, Got, Oracle string }
		decode(t, stdout, &table)
		for _, k := range table {
			got[k.Mutant] = k.Got + " " + k.Oracle
		}
	}
	require.Len(t, got, 3)
	require.Contains(t, []string{"killed overlap: owner register", "killed overlap: plain words", "killed data race"}, got["mutants/peterson-turn-other"])
	require.Equal(t, "killed hung", got["mutants/tas-no-reset"])
	require.NotContains(t, got["mutants/tas-swap-exit"], "killed")
}

// TestKills: what is expected of each verdict.
func TestKills(t *testing.T) {
	dead := &stress.Report{Outcomes: make([]stress.Outcome, 1), Found: &stress.Found{Oracle: "hung"}}
	alive := &stress.Report{Outcomes: make([]stress.Outcome, 1)}
	for _, c := range []struct {
		m    mutants.Mutant
		r    *stress.Report
		want bool
	}{
		{mutants.Mutant{Verdict: mutants.Safety}, dead, true},
		{mutants.Mutant{Verdict: mutants.Safety}, alive, false},
		{mutants.Mutant{Verdict: mutants.Safety, OutOfReach: "narrow"}, alive, true},
		{mutants.Mutant{Verdict: mutants.Deadlock}, alive, false},
		{mutants.Mutant{Verdict: mutants.Loses(check.PanicFreedom)}, alive, false},
		{mutants.Mutant{Verdict: mutants.Starvation}, alive, true},
		{mutants.Mutant{Verdict: mutants.Loses("bounded bypass")}, alive, true},
		{mutants.Mutant{Verdict: mutants.Equivalent}, alive, true},
		{mutants.Mutant{Verdict: mutants.Equivalent}, dead, false},
	} {
		require.Equal(t, c.want, newKill(c.m, c.r).AsExpected, c.m.Verdict)
		e := env{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}
		err := printKills(e, stressFlags{}, true, []*stress.Kill{newKill(c.m, c.r)})
		if c.want {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, errViolated)
		}
	}
}

// TestStressForbidden: a forbidden outcome is shown with what repeats it, and
// means exit status 1.
func TestStressForbidden(t *testing.T) {
	var out bytes.Buffer
	r := stress.Crashed(shm.Algorithm{Name: "x/y"}, stress.Options{Procs: []int{2, 4}, Seed: 5}, nil, "data race", "in x.go:1")
	require.NoError(t, printReports(env{Stdout: &out}, stressFlags{}, true, []*stress.Report{r}))
	require.Contains(t, out.String(), "forbidden")
	require.Contains(t, out.String(), "data race")
	require.Contains(t, out.String(), "-alg '^x/y$' -procs 2,4 -seed 5")
	r.Topology = "sockets=2,cores=2"
	require.NoError(t, printReports(env{Stdout: &out}, stressFlags{}, true, []*stress.Report{r}))
	require.Contains(t, out.String(), "-alg '^x/y$' -topology sockets=2,cores=2 -procs 2,4 -seed 5")
	require.ErrorIs(t, stressVerdict([]*stress.Report{r}), errViolated)
	require.NoError(t, stressVerdict([]*stress.Report{{}}))
}

func TestStressWrongUse(t *testing.T) {
	for says, args := range map[string][]string{
		"-d 0s":                                 {"-d", "0s"},
		"-d -1s":                                {"-d", "-1s"},
		"between 1ms and 24h":                   {"-d", "1000h"},
		"-procs 0":                              {"-procs", "0"},
		"-procs -3":                             {"-procs", "-3"},
		"between 1 and 1024":                    {"-procs", "1025"},
		"-seed 0":                               {"-seed", "0"},
		"from 0 up":                             {"-seed", "-1"},
		"did you mean":                          {"-alg", "tickit"},
		"no regular expression":                 {"-alg", "("},
		"-alg nosuch: no mutant matches":        {"-mutants", "-alg", "nosuch"},
		"n = 3, only for 1 to 2":                {"-alg", "^peterson/peterson$", "-procs", "3"},
		"unexpected argument ":                  {"bakery", "tas"},
		"needs the Go tool":                     {"-perturb"},
		"-race: ":                               {"-race"},
		"in PATH":                               {"./mylock"},
		"./mylock cannot be combined with -alg": {"./mylock", "-alg", "tas"},
		"-mutants cannot be combined with -topology": {"-mutants", "-topology", "machine"},
		"is not a level": {"-topology", "two"},
	} {
		t.Run(says, func(t *testing.T) {
			t.Setenv("PATH", "")
			code, stdout, stderr := shmbenchStress(t, args...)
			require.Equal(t, exitUsage, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, says)
			require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
		})
	}
}

func TestStressInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	require.Equal(t, exitUndecided, run(ctx, env{Stdout: &out, Stderr: &errs}, []string{"stress"}))
	require.Contains(t, errs.String(), "interrupted: 0 of ")
}

// TestPerturb: the locks are built anew with disturbed atomics and stressed.
func TestPerturb(t *testing.T) {
	sample.NeedsAll(t)
	code, stdout, stderr := shmbenchStress(t, "-perturb", "-alg", "^tas/tas$", "-d", "50ms")
	require.Equal(t, exitHolds, code, stderr)
	require.Contains(t, stdout, "disturbed")
}

// TestRace: the locks are built anew for the race detector, which reports nothing of a
// correct lock, and the data race of a lock that has one.
func TestRace(t *testing.T) {
	sample.NeedsAll(t)
	if !treetest.HasRace(t) {
		t.Skip("the race detector needs cgo and a C compiler")
	}
	code, stdout, stderr := shmbenchStress(t, "-race", "-alg", "^queue/mcs$", "-d", "50ms")
	require.Equal(t, exitHolds, code, stderr+stdout)
	require.Contains(t, stdout, "under the race detector")
	t.Chdir("../..")
	code, stdout, stderr = shmbenchStress(t, "-race", "./stress/testdata/broken:PlainFlag", "-d", untilFound(t))
	require.Equal(t, exitViolated, code, stderr+stdout)
	require.Contains(t, stdout, "data race")
}

// TestStressPackage: a lock that is in no catalog is stressed by its path, as
// it is and disturbed, from its specification or from its constructor; and what is wrong
// is said in a line.
func TestStressPackage(t *testing.T) {
	sample.NeedsAll(t)
	if race.Enabled {
		t.Skip("runs the compiler")
	}
	t.Chdir("../..")
	code, stdout, stderr := shmbenchStress(t, "./stress/testdata/broken:TestThenSet", "-d", untilFound(t))
	require.Equal(t, exitViolated, code, stderr+stdout)
	require.Contains(t, stdout, "overlap")
	require.Contains(t, stdout, "shmbench stress ./stress/testdata/broken:TestThenSet -procs 2,4,5,8 -seed ")
	t.Chdir("examples/ownlock")
	code, stdout, stderr = shmbenchStress(t, ".", "-perturb", "-d", "100ms", "-procs", "2")
	require.Equal(t, exitHolds, code, stderr+stdout)
	require.Contains(t, stdout, "ownlock/New")
	require.Contains(t, stdout, "disturbed")
	for says, args := range map[string][]string{
		"package example.com/ownlock has no Nope": {".:Nope"},
		"it must be a specification":              {"../../shm:CheckProcs"},
		"there is no folder":                      {"./nope"},
	} {
		code, _, stderr = shmbenchStress(t, args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, says)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}

func TestHunted(t *testing.T) {
	for _, c := range []struct {
		least, most int
		want        []int
	}{
		{2, 2, []int{2, 2, 2}},
		{2, 64, []int{2, 2, 2, 4, 5, 8}},
		{3, 5, []int{3, 3, 4, 5}},
		{1, 1, []int{1, 1}},
	} {
		m := mutants.Mutant{Procs: c.least}
		m.MaxProcs = c.most
		require.Equal(t, c.want, hunted(m))
	}
}
