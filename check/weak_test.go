package check_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// weakModels are the models of registers that are not atomic.
var weakModels = []shm.RegisterModel{shm.Regular, shm.Safe}

// TestWeakestRegisters confirms what the specification of every lock of reads and writes says
// of registers that are not atomic: no property is lost on those that it names, and
// none is kept on weaker ones. Three processes, and what has many states with two, as
// fast/andersonkim has 6 million, are left to .ci/run.
func TestWeakestRegisters(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	readwrite := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.Class != shm.ReadWrite || a.VariantOf != "" })
	decided, large := 0, 0 // with two processes
	for _, registers := range weakModels {
		o := check.Options{N: []int{2}, Registers: registers, MaxStates: check.SmallStates}
		for _, r := range reportsOf(t, o, readwrite...) {
			require.Equal(t, registers, r.RegisterModel)
			require.Empty(t, r.Disagreements, "%s, n=%d, %s", r.Algorithm, r.N, registers)
			if !r.Exhausted {
				large++
				continue
			}
			if r.Passages == 0 && !r.Overflows {
				require.NoError(t, r.Err(), "%s, n=%d, %s", r.Algorithm, r.N, registers)
			}
			require.Empty(t, append(r.Violated(), r.Disagreements...), "%s, n=%d, %s", r.Algorithm, r.N, registers)
			require.True(t, r.Exhausted, "%s, n=%d, %s", r.Algorithm, r.N, registers)
			decided++
		}
	}
	require.Greater(t, decided, 4*large)
}

// TestWeakestIsExact: a specification that names weaker registers than hold what it claims
// disagrees, and so does one that names stronger ones, or none.
func TestWeakestIsExact(t *testing.T) {
	t.Parallel()
	peterson, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	said := peterson.Claims.Weakest
	for want, claim := range map[string]shm.Weakest{
		"mutual exclusion is violated on regular registers, the specification says that it holds on them":                                           {Exclusion: shm.Regular, DeadlockFree: said.DeadlockFree, StarvationFree: said.StarvationFree},
		"the specification is too weak: deadlock freedom holds on regular registers for every n that was checked, the specification says atomic":    {Exclusion: said.Exclusion, DeadlockFree: shm.Atomic, StarvationFree: said.StarvationFree},
		"the specification is too weak: starvation freedom holds on regular registers for every n that was checked, the specification says nothing": {Exclusion: said.Exclusion, DeadlockFree: said.DeadlockFree},
	} {
		peterson.Claims.Weakest = claim
		r := reportsOf(t, check.Options{N: []int{2}, Registers: shm.Regular}, peterson)[0]
		require.Equal(t, []string{want}, r.Disagreements)
	}
}

// TestWeakestWithinTheRange: what holds only while numbers stay within the range
// that the specification gives them need not be claimed; it must where they have none.
func TestWeakestWithinTheRange(t *testing.T) {
	if !check.Affordable("bakery/blackwhite") {
		t.Skip("six seconds: -all")
	}
	t.Parallel()
	a, err := catalog.Get("bakery/blackwhite")
	require.NoError(t, err)
	a.MaxProcs = 2 // so that two are all
	r := reportsOf(t, check.Options{N: []int{2}, Registers: shm.Safe}, a)[0]
	require.True(t, r.Overflows)
	require.Equal(t, check.Verdict("holds for runs without overflow"), r.MutualExclusion)
	require.Empty(t, r.Disagreements)
	a.Space = slices.Clone(a.Space)
	a.Space[2].Values = shm.Formula{}
	r = reportsOf(t, check.Options{N: []int{2}, Registers: shm.Safe}, a)[0]
	require.Len(t, slices.DeleteFunc(r.Disagreements, func(d string) bool { return !strings.HasPrefix(d, "the specification is too weak") }), 3)
}

// weakControls has, for each model, what a lock that is known keeps.
var weakControls = []struct {
	algorithm                       string
	n                               int
	registers                       shm.RegisterModel
	exclusion, deadlock, starvation check.Verdict
}{
	// Lamport's three-bit algorithm keeps everything on all of them.
	{"burns/threebit", 2, shm.Atomic, check.Holds, check.Holds, check.Holds},
	{"burns/threebit", 2, shm.Regular, check.Holds, check.Holds, check.Holds},
	{"burns/threebit", 2, shm.Safe, check.Holds, check.Holds, check.Holds},
	// Burns and Lynch's keeps what it has.
	{"burns/burnslynch", 3, shm.Atomic, check.Holds, check.Holds, check.Violated},
	{"burns/burnslynch", 3, shm.Regular, check.Holds, check.Holds, check.Violated},
	{"burns/burnslynch", 3, shm.Safe, check.Holds, check.Holds, check.Violated},
	// Peterson's loses exclusion, and Dekker's liveness.
	{"peterson/peterson", 2, shm.Regular, check.Violated, check.Holds, check.Holds},
	{"peterson/peterson", 2, shm.Safe, check.Violated, check.Holds, check.Holds},
	{"dekker/dekker", 2, shm.Regular, check.Holds, check.Violated, check.Violated},
	{"dekker/dekker", 2, shm.Safe, check.Holds, check.Violated, check.Violated},
	// Safe registers are weaker than regular ones.
	{"peterson/priority", 2, shm.Regular, check.Holds, check.Holds, check.Holds},
	{"peterson/priority", 2, shm.Safe, check.Holds, check.Holds, check.Violated},
	// Numbers that are read while they are written may be any.
	{"bakery/lamport", 2, shm.Regular, "holds within 2 passages", "holds within 2 passages", "holds within 2 passages"},
	{"bakery/lamport", 2, shm.Safe, "holds within 2 passages and for runs without overflow",
		"holds within 2 passages and for runs without overflow", "holds within 2 passages and for runs without overflow"},
	// A word that is swapped stays atomic, one that is only read and written beside
	// it does not.
	{"tas/ttas", 2, shm.Safe, check.Holds, check.Holds, check.Violated},
	{"queue/ticket", 2, shm.Safe, check.Violated, check.Violated, check.Violated},
}

// TestWeakControls holds the models of registers against what is known of locks.
func TestWeakControls(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	for _, c := range weakControls {
		a, err := catalog.Get(c.algorithm)
		require.NoError(t, err)
		r := reportsOf(t, check.Options{N: []int{c.n}, Registers: c.registers}, a)[0]
		require.Equal(t, []check.Verdict{c.exclusion, c.deadlock, c.starvation},
			[]check.Verdict{r.MutualExclusion, r.DeadlockFreedom, r.StarvationFreedom}, "%s, n=%d, %s", c.algorithm, c.n, c.registers)
		require.Equal(t, c.registers, r.RegisterModel)
	}
}

// TestUnlucky distinguishes a process that starves because overlapping reads always
// return unlucky values from a process in a trap.
func TestUnlucky(t *testing.T) {
	t.Parallel()
	get := func(name string, n int, registers shm.RegisterModel) *check.Report {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		return reportsOf(t, check.Options{N: []int{n}, Registers: registers}, a)[0]
	}
	unlucky := get("peterson/priority", 2, shm.Safe)
	require.Equal(t, []string{check.StarvationFreedom}, unlucky.Unlucky)
	require.Contains(t, unlucky.Counterexample(check.StarvationFreedom).End, "if reads that overlap writes are unlucky forever")
	trap := get("dekker/dekker", 2, shm.Regular)
	require.Empty(t, trap.Unlucky)
	cycle := trap.Counterexample(check.DeadlockFreedom)
	require.False(t, slices.ContainsFunc(cycle.Steps[cycle.Cycle:], func(s check.Step) bool { return len(s.May) > 0 }),
		"nothing is drawn in a trap, though it may be:\n%s", cycle)
}

// TestPetersonNeedsAtomicRegisters finds a published error: the shortest execution in which
// two processes are in their critical sections on regular registers. Each has written turn;
// the first reads it while the second's write is running, and gets the new value; then that
// write takes effect before the write of the first process.
func TestPetersonNeedsAtomicRegisters(t *testing.T) {
	t.Parallel()
	a, err := catalog.Get("peterson/peterson")
	require.NoError(t, err)
	r := reportsOf(t, check.Options{N: []int{2}, Registers: shm.Regular}, a)[0]
	require.Equal(t, `mutual exclusion is violated on regular registers for n = 2: processes 0 and 1 are in their critical sections at once
step  process 0                                        process 1
1     1  q[0] := 1 begins
2     1  q[0] := 1 ends
3     2  turn := 0 begins
4                                                      1  q[1] := 1 begins
5                                                      1  q[1] := 1 ends
6                                                      2  turn := 1 begins
7     2  turn := 0 ends
8     3  q[1] = 1
9     3  turn = 1 (overlaps a write: 0 or 1) [enters]
10                                                     2  turn := 1 ends, leaves 0
11                                                     3  q[0] = 1
12                                                     3  turn = 0 [enters]
`, withoutSource(r.Counterexample(check.MutualExclusion).String()))
}

// TestDekkerNeedsAtomicRegisters finds a published error: on regular registers Dekker's lock
// deadlocks. While process 0 takes its flag back, process 1 reads the new value and then the
// old one: process 1 gets past process 0 and gives it the turn. Then process 1 believes that
// process 0 competes, and no process gives the turn back.
func TestDekkerNeedsAtomicRegisters(t *testing.T) {
	t.Parallel()
	a, err := catalog.Get("dekker/dekker")
	require.NoError(t, err)
	r := reportsOf(t, check.Options{N: []int{2}, Registers: shm.Regular}, a)[0]
	require.Equal(t, `deadlock freedom is violated on regular registers for n = 2: no process ever enters again, though one is trying
step    process 0                       process 1
1       1  flag[0] := 1 begins
2       1  flag[0] := 1 ends
3       2  flag[1] = 0 [enters]
4       7  turn := 1 begins [leaves]
5       7  turn := 1 ends
6       8  flag[0] := 0 begins
7                                       1  flag[1] := 1 begins
8                                       1  flag[1] := 1 ends
9                                       2  flag[0] = 0 (overlaps a write: 1 or 0) [enters]
10                                      7  turn := 0 begins [leaves]
11                                      7  turn := 0 ends
12                                      8  flag[1] := 0 begins
13                                      8  flag[1] := 0 ends [is done]
14                                      1  flag[1] := 1 begins
15                                      1  flag[1] := 1 ends
16                                      2  flag[0] = 1 (overlaps a write: 1 or 0)
17      8  flag[0] := 0 ends [is done]
18                                      3  turn = 0
19                                      4  flag[1] := 0 begins
20                                      4  flag[1] := 0 ends
cycle:
21                                      5  turn = 0
`, withoutSource(r.Counterexample(check.DeadlockFreedom).String()))
}

// TestWeakReplay: the compiled code makes the accesses that it makes by the model, if
// its reads return what they do there.
func TestWeakReplay(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src, err := check.CatalogueSource()
	require.NoError(t, err)
	for _, name := range []string{"peterson/peterson", "dekker/dekker", "peterson/priority"} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		reports, err := src.AlgorithmOnce(t.Context(), a, check.Options{N: []int{2}, Registers: shm.Safe, Replays: 2000})
		require.NoError(t, err)
		r := reports[0]
		require.NotNil(t, r.Replay)
		require.Empty(t, r.Replay.Omitted)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples)
		require.NotZero(t, r.Replay.Transitions)
		require.NotZero(t, r.Replay.Schedules)
	}
}

// TestWeakRegistersOfNodes: a lock cannot be checked on registers that are not
// atomic where it shares what it allocates.
func TestWeakRegistersOfNodes(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "nodes")
	reports, err := src.Lock(t.Context(), "NewMCS", check.Options{N: []int{2}, Registers: shm.Safe})
	require.NoError(t, err)
	require.Contains(t, reports[0].Undecided[0].Why, "registers that are not atomic are not explored where Lock or Unlock shares memory")
}

// withoutSource leaves the column of lines of source out of a trace.
func withoutSource(trace string) string {
	lines := strings.Split(trace, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(sourceColumn.ReplaceAllString(l, ""), " ")
	}
	return strings.Join(lines, "\n")
}

var sourceColumn = regexp.MustCompile(`(source|\S+\.go:\d+)$`)
