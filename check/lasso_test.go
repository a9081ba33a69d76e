package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// unfair says what keeps a printed cycle from being the endless execution that
// it claims to be, or returns "". It knows nothing but the trace.
func unfair(tr *trace.Trace) string {
	section := slices.Repeat([]string{"remainder"}, tr.N)
	buffered, flushes := make([]int, tr.N), make([]int, tr.N) // stores on their way to memory
	buffer := func(s execution.Step) {
		switch {
		case s.Op == execution.Flush:
			buffered[s.Process]--
			flushes[s.Process]++
		case s.Buffered:
			buffered[s.Process]++
		}
	}
	for _, s := range tr.Steps[:tr.Cycle] {
		section[s.Process] = s.Section
		buffer(s)
	}
	begin := slices.Clone(buffered)
	clear(flushes)
	cycle := tr.Steps[tr.Cycle:]
	start := slices.Clone(section)
	whom, _ := strconv.Atoi(regexp.MustCompile(`process (\d+)`).FindStringSubmatch(tr.End + " process 0")[1])
	claimed := map[string]string{verdict.StarvationFreedom: "entry", verdict.BoundedBypass: "entry", verdict.ExitProgress: "exit", verdict.ReaderStarvationFreedom: "entry", verdict.ReaderBoundedBypass: "entry",
		verdict.WaitFreeTry: "entry", verdict.WaitFreeAbort: "entry", verdict.ConcurrentReaders: "entry"}[tr.Property]
	// In these properties a process is slow, or runs alone.
	slow := slices.Contains([]string{verdict.BoundedBypass, verdict.ReaderBoundedBypass, verdict.WaitFreeTry, verdict.WaitFreeAbort, verdict.ConcurrentReaders}, tr.Property)
	moves, home, entered := make([]bool, tr.N), make([]bool, tr.N), false
	for p := range tr.N {
		home[p] = section[p] == "remainder"
	}
	for _, s := range cycle {
		section[s.Process] = s.Section
		moves[s.Process] = moves[s.Process] || s.Op != execution.Flush
		home[s.Process] = home[s.Process] || s.Section == "remainder"
		entered = entered || s.Turn == "enters"
		if claimed != "" && section[whom] != claimed {
			return "the process leaves the section that it is said to stay in"
		}
		buffer(s)
	}
	for p := range tr.N {
		still := strings.HasSuffix(tr.End, "still") && strings.Contains(tr.End[strings.LastIndex(tr.End, "while"):], strconv.Itoa(p))
		// A process cannot move while it waits for its own stores to reach memory, which they need
		// not do.
		stay := begin[p] > 0 && flushes[p] == 0
		switch {
		case stay && (!slow || !strings.Contains(tr.End, fmt.Sprintf("the stores of process %d can stay", p))):
			return "a store never gets to memory"
		case section[p] != start[p] || buffered[p] != begin[p]:
			return "the cycle does not end as it begins"
		case claimed != "" && start[whom] != claimed:
			return "the process is not in the section that it is said to stay in"
		case still == (moves[p] || home[p]) && !(stay && !still) && slow:
			return "who stands still is not said, or wrongly"
		case !moves[p] && !home[p] && !slow:
			return "a process that has a step to make stands still"
		}
	}
	switch {
	case tr.Property == verdict.DeadlockFreedom && (entered || !slices.Contains(start, "entry")):
		return "somebody enters, or nobody is trying"
	case strings.HasPrefix(tr.Property, verdict.BoundedBypass) && !entered:
		return "nobody is passed"
	case slow && !strings.HasPrefix(tr.Property, verdict.BoundedBypass) && !moves[whom]:
		return "the process makes no steps"
	}
	return ""
}

// holdLassos holds every cycle that is printed against what it claims, and goes
// round it until everything is as it was before.
func holdLassos(t *testing.T, s *source.Lock, r *Report) (cycles int) {
	t.Helper()
	lassos := slices.DeleteFunc(slices.Clone(r.Counterexamples), func(tr *trace.Trace) bool { return tr.Cycle < 0 })
	if len(lassos) == 0 {
		return 0
	}
	s.Mixed = r.Modes != nil
	lock, err := s.Learn(t.Context(), r.N, model.Options{Passages: r.Passages})
	require.NoError(t, err)
	for _, tr := range lassos {
		require.Empty(t, unfair(tr), "%s\n%s", s.Name, tr)
		sim := execution.NewFollower(lock.Learner, nil)
		around := func(steps []execution.Step) {
			for _, want := range steps {
				got, err := sim.Step(want)
				require.NoError(t, err)
				require.Equal(t, want, got, "%s\n%s", s.Name, tr)
			}
		}
		around(tr.Steps[:tr.Cycle])
		seen := map[string]bool{} // a private variable may grow for a few rounds
		for at := ""; !seen[at]; at = fmt.Sprint(sim.States, sim.Values, inBuffers(sim.Simulation)) {
			seen[at] = true
			require.Less(t, len(seen), 100, "%s\n%s", s.Name, tr)
			around(tr.Steps[tr.Cycle:])
		}
	}
	return len(lassos)
}

// inBuffers is what is in the buffers.
func inBuffers(s *execution.Simulation) (all [][2]int32) {
	for pid, stores := range s.Pending {
		all = append(all, [2]int32{int32(pid), -1})
		for _, p := range stores {
			all = append(all, [2]int32{p.Reg, p.Value})
		}
	}
	return all
}

// TestLassosAreFair holds every cycle that is printed for the catalog, for
// the mutants and for locks of all kinds against the fairness that it claims.
func TestLassosAreFair(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	cycles := 0
	hold := func(of func(name string) *Source, algorithms []shm.Algorithm, reports []*Report) {
		for _, r := range reports {
			if i := slices.IndexFunc(algorithms, func(a shm.Algorithm) bool { return a.Name == r.Algorithm }); i >= 0 && r.Refused == "" && r.PanicFreedom != Violated { // a process that panicked stands still
				cycles += holdLassos(t, of(r.Algorithm).pkg.Algorithm("All", algorithms[i]), r)
			}
		}
	}
	defaults := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.VariantOf != "" })
	reports := CatalogueReports(t)
	hold(func(name string) *Source { return SourceOf(t, name) }, defaults, reports)
	edited, broken, reports := stuckMutants(t)
	hold(func(string) *Source { return edited }, broken, reports)
	src := Testdata(t, "locks")
	each := func(constructor string, ns ...int) {
		s := src.pkg.Lock(constructor)
		reports, err := check(t.Context(), s, Options{N: ns})
		require.NoError(t, err)
		for _, r := range reports {
			if r.Refused == "" {
				cycles += holdLassos(t, s, r)
			}
		}
	}
	for _, c := range []string{"NewTAS", "NewOwner", "NewLastWaits", "NewStuckExit", "NewGate", "NewLoops", "NewPanics", "NewGated", "NewCounted", "NewTriesFirst"} {
		each(c, 2)
	}
	each("NewSwapOnly", 2, 3)
	require.Greater(t, cycles, 25)
}

// stuckMutants checks mutants by Lock and Unlock: two whose traces end in a cycle and a
// sample of the others, which is larger with -all. The tests of mutantcheck check all of them.
func stuckMutants(t *testing.T) (*Source, []shm.Algorithm, []*Report) {
	t.Helper()
	some := slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool {
		cycle := m.Name == "mutants/mcs-tail-kept" || m.Name == "mutants/priority-never-handed-over"
		return !cycle && (expensive[m.Of] || !oneIn(m.Name, 50, 8))
	})
	for _, m := range some {
		t.Log(m.Name)
	}
	src, err := OpenMutants(some)
	require.NoError(t, err)
	run := &runner{o: Options{LockOnly: true, MaxStates: 1_000_000, NoCosts: true}}
	var all []shm.Algorithm
	var reports []*Report
	for _, m := range some {
		run.o.N = []int{m.Procs}
		of, err := run.check(t.Context(), src.pkg.Algorithm("All", m.Algorithm))
		require.NoError(t, err)
		all, reports = append(all, m.Algorithm), append(reports, of...)
	}
	return src, all, reports
}

// TestBufferedLassosAreFair does so for cycles with stores on their way.
func TestBufferedLassosAreFair(t *testing.T) {
	sample.NeedsAll(t)
	cycles := 0
	each := func(s *source.Lock) {
		reports, err := (&runner{o: Options{N: []int{2}, TSO: true}}).check(t.Context(), s)
		require.NoError(t, err)
		for _, tr := range reports[0].Counterexamples {
			if tr.Cycle >= 0 {
				cycles++
				require.Empty(t, unfair(tr), "%s\n%s", s.Name, tr)
			}
		}
	}
	for _, name := range []string{"peterson/peterson", "peterson/asymmetric", "peterson/priority", "tas/ttas"} {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		each(SourceOf(t, name).pkg.Algorithm("All", a))
	}
	src := Testdata(t, "locks")
	for _, c := range []string{"NewFive", "NewAlternates", "NewTAS", "NewLoops"} {
		each(src.pkg.Lock(c))
	}
	require.GreaterOrEqual(t, cycles, 8)
}

// TestUnfairLassos has cycles that are none, or are not fair.
func TestUnfairLassos(t *testing.T) {
	src := Testdata(t, "locks")
	reports, err := (&runner{o: Options{N: []int{2}}}).check(t.Context(), src.pkg.Lock("NewTAS"))
	require.NoError(t, err)
	good := reports[0].Counterexample(verdict.StarvationFreedom)
	require.Empty(t, unfair(good))
	for want, change := range map[string]func(tr *trace.Trace){
		"stands still": func(tr *trace.Trace) {
			tr.Property, tr.End = verdict.DeadlockFreedom, ""
			tr.Steps = tr.Steps[:tr.Cycle]
			tr.Steps = append(tr.Steps, execution.Step{Process: 1, Section: "exit"})
		},
		"does not end as it begins": func(tr *trace.Trace) { tr.Steps = tr.Steps[:len(tr.Steps)-1] },
		"a store never gets to memory": func(tr *trace.Trace) {
			tr.Memory, tr.Steps = "tso", slices.Insert(tr.Steps, tr.Cycle, execution.Step{Process: 1, Op: "store", Buffered: true, Section: tr.Steps[tr.Cycle-1].Section})
			tr.Cycle++
		},
		"leaves the section": func(tr *trace.Trace) { tr.End = "process 1 stays" },
		"somebody enters":    func(tr *trace.Trace) { tr.Property = verdict.DeadlockFreedom },
	} {
		bad := *good
		bad.Steps = slices.Clone(good.Steps)
		change(&bad)
		require.Contains(t, unfair(&bad), want, "%s", &bad)
	}
}
