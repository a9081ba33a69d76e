package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/cli"
	"shmbench/internal/testkit/sample"
)

const testLocks = "../../check/testdata/locks"

// TestCheckCatalogue: what is printed of locks of each kind; .ci/run checks all of them.
func TestCheckCatalogue(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	out, diag, status := shmbench(t.Context(), "check", "-replays", "0", "-alg", "^(peterson/(peterson|priority|asymmetric)|tournament/peterson|tas/tas|queue/mcs|baseline/mutex)$")
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "peterson/peterson ")
	require.Regexp(t, `undecided: locks/baseline/mutex.go:\d+: \(\*baseline.SyncMutex\).Lock: calls \(\*sync.Mutex\).Lock`, out)
	require.Contains(t, out, "Mutex results using read/write registers")
	require.NotContains(t, out, "DISAGREES")
	require.Regexp(t, `queue/mcs +3 +any .* ends +2 hold +swap`, out)
	require.Empty(t, diag, "no progress off a terminal")
}

func TestCheckJSON(t *testing.T) {
	out, diag, status := shmbench(t.Context(), "check", "-alg", "^peterson/(peterson|asymmetric)$", "-procs", "2", "-json", "-replays", "0")
	require.Equal(t, exitHolds, status, diag)
	var reports []map[string]any
	decode(t, out, &reports)
	require.Len(t, reports, 2)
	for _, key := range []string{"algorithm", "n", "passages", "memory", "states", "transitions", "seconds", "exhausted",
		"mutual_exclusion", "deadlock_freedom", "starvation_freedom", "fcfs", "exit_progress", "data_race_freedom",
		"starved", "bypass", "bypass_from_start"} {
		require.Contains(t, reports[0], key)
	}
	named := reports[1]["invariants"].([]any)[1].(map[string]any)
	require.Equal(t, "turn", named["name"])
	require.Equal(t, "holds", named["verdict"])
	require.Equal(t, 1981.0, named["source"].(map[string]any)["year"])
	require.Equal(t, []any{1.0}, reports[0]["starved"])
	require.Equal(t, -1.0, reports[0]["bypass"])
	require.Equal(t, 32.0, reports[1]["states"])
	require.Equal(t, 65.0, reports[1]["transitions"])
	require.Equal(t, []any{}, reports[1]["starved"])
}

// TestCheckPage: the page of check, and that of check -mutants, shows the functions of the traces.
func TestCheckPage(t *testing.T) {
	functions := regexp.MustCompile(`"sources":\{.*"peterson/peterson.go:\d+":"func \(l \*PetersonMutex\) Lock\(`)
	for _, args := range [][]string{{"-alg", "^peterson/peterson$", "-procs", "2", "-memory", "tso"}, {"-mutants", "-alg", "peterson-turn-other"}} {
		page := filepath.Join(t.TempDir(), "page.html")
		_, diag, _ := shmbench(t.Context(), append([]string{"check", "-replays", "0", "-o", page}, args...)...)
		require.Contains(t, diag, "page.html: a page of ")
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.True(t, functions.Match(text), args)
	}
}

// TestCheckBrokenInvariant: a lock that does not keep its own invariants has
// failed, whatever else holds of it.
func TestCheckBrokenInvariant(t *testing.T) {
	report := func(memory string, v check.Verdict) *check.Report {
		return &check.Report{Memory: memory, MutualExclusion: check.Holds, DeadlockFreedom: check.Holds, ExitProgress: check.Holds,
			DataRaceFreedom: check.Holds, PanicFreedom: check.Holds, Invariants: []check.Invariant{{Name: "lemma 1", Verdict: v}}}
	}
	c := &checkFlags{}
	require.NoError(t, c.outcome([]*check.Report{report("sc", check.Holds)}))
	require.ErrorIs(t, c.outcome([]*check.Report{report("sc", check.Violated)}), errViolated)
	require.NoError(t, c.outcome([]*check.Report{report("tso", check.Violated)}))
	var table strings.Builder
	require.NoError(t, check.Table([]*check.Report{report("sc", check.Violated)}).WriteText(&table))
	require.Contains(t, table.String(), "BROKEN")
}

// TestCheckTraceAndReplay refutes a lock of a package, and replays the traces.
func TestCheckTraceAndReplay(t *testing.T) {
	sample.NeedsAll(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	out, diag, status := shmbench(t.Context(), "check", testLocks+":NewGivesUp", "-procs", "2", "-replays", "500", "-o", file)
	require.Equal(t, exitViolated, status, diag)
	require.Contains(t, out, "mutual exclusion is violated for n = 2: processes 0 and 1 are in their critical sections at once")
	require.Contains(t, out, "swap busy: true [enters]")
	out, diag, status = shmbench(t.Context(), "check", "-replay", file)
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "The compiled code of locks/NewGivesUp makes the same")

	// A trace that the code does not follow is found out.
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := strings.Replace(string(text), `"after": "true"`, `"after": "false"`, 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(file, []byte(changed), 0o644))
	_, diag, status = shmbench(t.Context(), "check", "-replay", file)
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "the code has changed since the trace was written")
}

// TestCheckTSO refutes without fences what holds with them, and the compiled code
// with store buffers does the same.
func TestCheckTSO(t *testing.T) {
	sample.NeedsAll(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	out, diag, status := shmbench(t.Context(), "check", "peterson/peterson", "-procs", "2", "-memory", "tso", "-replays", "500", "-o", file)
	require.Equal(t, exitViolated, status, diag)
	require.Contains(t, out, "the fence is needed for mutual exclusion")
	require.Regexp(t, `step +process 0 +process 1 +not in memory yet +source`, out)
	require.Regexp(t, `\d +2  turn := \d +\d: q\[\d\] := 1, turn := \d .*peterson.go`, out)
	out, diag, status = shmbench(t.Context(), "check", "-replay", file)
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "The compiled code of peterson/peterson makes the same")
	_, diag, status = shmbench(t.Context(), "check", "-memory", "arm")
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "-memory arm: the memory model must be sc or tso")
}

// TestCheckRegisters: the specification says what is lost on registers that are not atomic.
func TestCheckRegisters(t *testing.T) {
	sample.NeedsAll(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	out, diag, status := shmbench(t.Context(), "check", "-alg", "^peterson/peterson$", "-registers", "regular", "-replays", "0", "-o", file)
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "mutual exclusion is violated on regular registers for n = 2")
	require.Contains(t, out, "3  turn = 1 (overlaps a write: 0 or 1) [enters]")
	_, diag, status = shmbench(t.Context(), "check", "-replay", file)
	require.Equal(t, exitUsage, status)
	require.Contains(t, diag, "a trace on regular registers cannot be run: those of compiled Go are atomic")
	out, _, status = shmbench(t.Context(), "check", testLocks+":NewTAS", "-registers", "safe", "-procs", "2", "-replays", "0", "-json")
	require.Equal(t, exitHolds, status)
	require.Contains(t, out, `"register_model": "safe"`)
	for args, want := range map[string]string{
		"-registers weak":              `-registers weak: the model of registers must be atomic, regular or safe`,
		"-registers safe -memory tso":  "-memory tso cannot be combined with -registers",
		"-registers safe -o x.dot":     "-o x.dot cannot be combined with -registers",
		"-registers safe -replay file": "-replay checks nothing",
	} {
		_, diag, status := shmbench(t.Context(), append([]string{"check", "-alg", "^peterson/peterson$", "-procs", "2"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, status, args)
		require.Contains(t, diag, want)
	}
}

func TestCheckPackage(t *testing.T) {
	sample.NeedsAll(t)
	for constructor, want := range map[string]struct {
		status  int
		replays string
	}{
		"NewTAS": {exitHolds, "100"}, "NewFunctions": {exitUndecided, "0"}, "NewGate": {exitViolated, "0"}, "NewNothing": {exitViolated, "0"}, "NewSleeps": {exitUsage, "0"},
	} {
		out, diag, status := shmbench(t.Context(), "check", testLocks+":"+constructor, "-procs", "2", "-replays", want.replays)
		require.Equal(t, want.status, status, "%s: %s%s", constructor, out, diag)
	}
}

// TestCheckUnheld: a lock whose compiled code cannot be replayed is not decided,
// unless that is asked for, one way or the other.
func TestCheckUnheld(t *testing.T) {
	sample.NeedsAll(t)
	args := []string{"check", "../../check/testdata/program:newSearching", "-procs", "2", "-json"}
	for more, want := range map[string]int{"-replays=100": exitUndecided, "-replays=0": exitHolds} {
		out, diag, status := shmbench(t.Context(), append(args, more)...)
		require.Equal(t, want, status, "%s: %s%s", more, out, diag)
		require.Equal(t, more != "-replays=0", strings.Contains(out, `"mutual_exclusion": "holds, not checked against the compiled code"`), out)
	}
}

// TestCheckStrangersModule checks a lock in a module of its own, which imports
// this one by a replace directive.
func TestCheckStrangersModule(t *testing.T) {
	sample.NeedsAll(t)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod": strings.Replace(string(mod), "module shmbench", "module stranger", 1) +
			"\nrequire shmbench v0.0.0\n\nreplace shmbench => " + root + "\n",
		"go.sum":         string(sum),
		"mylock/lock.go": "package mylock\n\nimport (\n\t\"sync/atomic\"\n\n\t\"shmbench/shm\"\n\t\"shmbench/shm/spin\"\n)\n\ntype Lock struct{ busy shm.Array[atomic.Bool] }\n\nfunc New(n int) *Lock { return &Lock{shm.NewArray[atomic.Bool](1, shm.Padded)} }\n\nfunc (l *Lock) Lock(int) {\n\tspin.Until(func() bool { return !l.busy.At(0).Swap(true) })\n}\n\nfunc (l *Lock) Unlock(int) { l.busy.At(0).Store(false) }\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	t.Chdir(dir)
	out, diag, status := shmbench(t.Context(), "check", "./mylock", "-procs", "2", "-json", "-replays", "200")
	require.Equal(t, exitHolds, status, diag)
	var reports []*check.Report
	decode(t, out, &reports)
	require.Equal(t, "mylock/New", reports[0].Algorithm)
	require.Equal(t, check.Holds, reports[0].MutualExclusion)
	require.Equal(t, []int{0, 1}, reports[0].Starved)
	require.Positive(t, reports[0].Replay.Accesses)
}

func TestCheckWrongUse(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-procs", "0"}, "-procs 0: the number of processes must be between 1 and 16"},
		{[]string{"-procs", "two"}, "is not a whole number"},
		{[]string{"-alg", "petersen"}, "did you mean"},
		{[]string{"-alg", "^peterson/peterson$", "-procs", "3"}, "-procs 3: peterson/peterson: cannot be built for n = 3, only for 1 to 2"},
		{[]string{testLocks, "-alg", "x"}, testLocks + " cannot be combined with -alg"},
		{[]string{testLocks, "./mylock"}, `unexpected argument "./mylock": give one package`},
		{[]string{"./my lock/lock.go"}, "./my lock/lock.go names a file: give the folder of its package, ./my lock"},
		{[]string{testLocks + ":NewTwo"}, "must be a func(n int) T"},
		{[]string{"./nowhere"}, "nowhere"},
		{[]string{"-mem", "lots"}, "is not a size"},
		{[]string{"-passages", "-1"}, "-passages -1: the number of passages must be between 0 and 65535"},
		{[]string{"-passages", "70000"}, "-passages 70000: the number of passages must be between 0 and 65535"},
		{[]string{"-replay", "nowhere.json"}, "nowhere.json"},
	} {
		out, diag, status := shmbench(t.Context(), append([]string{"check"}, c.args...)...)
		require.Equal(t, exitUsage, status, "%v: %s", c.args, out)
		require.Contains(t, diag, c.want)
		require.Equal(t, 1, strings.Count(diag, "\n"), "one plain line: %q", diag)
	}
}

func TestCheckDot(t *testing.T) {
	sample.NeedsAll(t)
	file := filepath.Join(t.TempDir(), "graph.dot")
	for process, edges := range map[string]int{"": 64, ":0": 10} {
		_, diag, status := shmbench(t.Context(), "check", "-alg", "^peterson/peterson$", "-procs", "2", "-replays", "0", "-o", file+process)
		require.Equal(t, exitHolds, status, diag)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, edges, strings.Count(string(text), " -> s"), "process %s\n%s", process, text)
	}
	for memory, stores := range map[string][]string{"sc": {"-alg", "^peterson/peterson-released$"}, "tso": {"-alg", "^peterson/peterson$"}} {
		_, diag, _ := shmbench(t.Context(), append([]string{"check", "-memory", memory, "-procs", "2", "-replays", "0", "-o", file}, stores...)...)
		require.Empty(t, diag)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Regexp(t, `q\[0\] = 0\\n.*buffer of 0: q\[0\] := 1`, string(text), memory)
		require.Contains(t, string(text), `[label="buffer of 0"]`, memory)
	}
	for _, args := range [][]string{{"-procs", "2,3"}, {"-procs", "2", "-alg", "peterson"}, {"-procs", "2", "-alg", "^tas/tas$", "-o", file + ":2"}} {
		_, diag, status := shmbench(t.Context(), append([]string{"check", "-o", file}, args...)...)
		require.Equal(t, exitUsage, status, args)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
	}
}

func TestCheckWithoutToolchain(t *testing.T) {
	t.Setenv("PATH", "")
	_, diag, status := shmbench(t.Context(), "check", "-alg", "tas/tas")
	require.Equal(t, exitUsage, status)
	require.Equal(t, "shmbench check: this needs the Go toolchain, and there is no \"go\" command in PATH\n", diag)
}

// TestCheckLimits stops early and says so, and keeps nothing to itself.
func TestCheckLimits(t *testing.T) {
	out, diag, status := shmbench(t.Context(), "check", "-alg", "^tournament/priority$", "-procs", "3", "-max-states", "1000", "-json", "-replays", "0")
	require.Equal(t, exitUndecided, status, diag)
	var reports []*check.Report
	decode(t, out, &reports)
	require.False(t, reports[0].Exhausted)
	require.Equal(t, check.Unknown, reports[0].MutualExclusion)
	require.Nil(t, reports[0].Bypass)
	require.Less(t, reports[0].States, 5000)
	require.Contains(t, diag, "tournament/priority, n=3: not fully explored")
}

func TestCheckInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, diag, status := shmbench(ctx, "check", "-json")
	require.Equal(t, exitUndecided, status)
	require.Contains(t, out, `"complete": false`)
	require.Contains(t, diag, "interrupted")
}

func TestLockstepVerb(t *testing.T) {
	out, diag, status := shmbench(t.Context(), "lockstep", "tournament/priority", "-procs", "8",
		"-ask", "1:0,1,3,5,6", "-ask", "2:2,4,7", "-lines", "7", "-cs", "1", "-json")
	require.Equal(t, exitHolds, status, diag)
	var r struct {
		Entries   []int `json:"entries"`
		LastRound int   `json:"last_round"`
	}
	decode(t, out, &r)
	require.Equal(t, []int{0, 5, 3, 6, 1, 4, 2, 7}, r.Entries)
	require.Equal(t, 16, r.LastRound)
	for _, args := range [][]string{{"-ask", "0"}, {"-ask", "1:9"}, {"-ask", "1:0,0"}, {"nosuch"}, {"-lines", "0"}, {"-procs", "0"}} {
		_, diag, status := shmbench(t.Context(), append([]string{"lockstep"}, args...)...)
		require.Equal(t, exitUsage, status, args)
		require.Equal(t, 1, strings.Count(diag, "\n"), "one plain line: %q", diag)
	}
}

// TestCheckInternalError: what was decided before is printed, and then the fault, in
// one line of its own.
func TestCheckInternalError(t *testing.T) {
	var out, diag strings.Builder
	c := &checkFlags{pkg: &cli.Package{Path: ".", Constructor: "New"}}
	err := c.conclude(t.Context(), env{Stdout: &out, Stderr: &diag}, []*check.Report{{Algorithm: "mylock/New", N: 2, MutualExclusion: check.Violated}},
		[]*check.InternalError{{Algorithm: "mylock/New", N: 3, Step: "step 5, process 1 at mylock/lock.go:9, swap busy: true", Why: "the value after is 0"}, {Algorithm: "a"}})
	require.EqualError(t, err, "internal error: mylock/New, n=3: step 5, process 1 at mylock/lock.go:9, swap busy: true: the value after is 0")
	require.Regexp(t, `mylock/New +2 .*BROKEN`, out.String())
	require.Equal(t, 1, strings.Count(diag.String(), "\n"))
}
