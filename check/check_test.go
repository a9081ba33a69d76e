package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

const locks = "shmbench/check/testdata/locks"

// checked checks a lock of package locks for n processes.
func checked(t *testing.T, constructor string, n int) *check.Report {
	t.Helper()
	src := check.Testdata(t, "locks")
	reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{n}})
	require.NoError(t, err)
	return reports[0]
}

// reportsOf checks algorithms of the catalog.
func reportsOf(t *testing.T, o check.Options, algorithms ...shm.Algorithm) []*check.Report {
	t.Helper()
	var all []*check.Report
	for begin := 0; begin < len(algorithms); {
		src, end := check.SourceOf(t, algorithms[begin].Name), begin+1
		for end < len(algorithms) && check.SourceOf(t, algorithms[end].Name) == src {
			end++
		}
		reports, err := src.Algorithms(t.Context(), "All", algorithms[begin:end], o)
		require.NoError(t, err)
		all, begin = append(all, reports...), end
	}
	return all
}

// TestKnownCounts holds the numbers of states against those that are known of
// the same algorithms at the same grain.
func TestKnownCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		n, passages int
		states      int
		transitions int64
	}{
		{"peterson/peterson", 2, 0, 32, 65},
		{"tournament/peterson", 4, 0, 7680, 30721},
		{"bakery/lamport", 3, 2, 75711, 217156},
	} {
		if !check.Affordable(c.name) {
			continue // TestWorkersAgree counts the bakery's
		}
		a, err := catalog.Get(c.name)
		require.NoError(t, err)
		for _, workers := range []int{1, 2} {
			r := reportsOf(t, check.Options{N: []int{c.n}, Passages: c.passages, Workers: workers}, a)[0]
			require.Equal(t, c.states, r.States, c.name)
			require.Equal(t, c.transitions, r.Transitions, c.name)
			require.Empty(t, r.Violated())
		}
	}
}

// TestCatalogue proves every claim of the sampled locks for two processes, and of some
// for three. The opaque locks are undecided.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	reports := check.CatalogueReports(t)
	of := map[int]int{} // number of processes
	for _, r := range reports {
		a, err := catalog.Get(r.Algorithm)
		require.NoError(t, err)
		if r.Modes == nil {
			of[r.N]++
		}
		if a.Class&shm.Opaque != 0 {
			require.NotEmpty(t, r.Refused, r.Algorithm)
			require.Equal(t, check.Unknown, r.MutualExclusion, r.Algorithm)
			require.False(t, r.Exhausted, r.Algorithm)
			continue
		}
		require.True(t, r.Exhausted, r.Algorithm)
		if r.Passages == 0 {
			require.NoError(t, r.Err(), "%s, n=%d", r.Algorithm, r.N)
			continue
		}
		require.Empty(t, append(r.Violated(), r.Disagreements...), "%s, n=%d", r.Algorithm, r.N)
		require.NotEmpty(t, r.Undecided, "%s, n=%d: more passages may differ", r.Algorithm, r.N)
		require.False(t, a.Space.Bounded(r.N), "%s: passages are limited where registers are unbounded", r.Algorithm)
	}
	if sample.All() {
		require.Greater(t, of[2], 25)
	}
	require.Greater(t, of[2], 5)
	require.Greater(t, of[3], 3)
}

// TestSpecificationsAreExact changes claims that are true, up and down, and wants each
// change to be found.
func TestSpecificationsAreExact(t *testing.T) {
	tried := 0
	for _, c := range []struct {
		name   string
		change func(a *shm.Algorithm)
		want   string
	}{
		{"tas/tas", func(a *shm.Algorithm) { a.Claims.StarvationFree = true }, "starvation freedom is violated"},
		{"tas/tas", func(a *shm.Algorithm) { a.Class = shm.Swap }, "the class is test-and-set, the specification says swap"},
		{"peterson/peterson", func(a *shm.Algorithm) { a.Claims.StarvationFree = false }, "too weak: starvation freedom"},
		{"peterson/peterson", func(a *shm.Algorithm) { a.Claims.FCFS = false }, "too weak: first-come-first-served order"},
		{"peterson/peterson", func(a *shm.Algorithm) { a.Claims.Bypass = shm.Const(0) }, "the bypass is 1, the specification says 0"},
		{"peterson/peterson", func(a *shm.Algorithm) { a.Claims.Bypass = shm.Formula{} }, "the bypass is 1, the specification says unbounded"},
		{"peterson/peterson", func(a *shm.Algorithm) { a.Claims.Doorway = "3" }, "the doorway up to line 3 is not wait-free"},
		{"peterson/peterson", func(a *shm.Algorithm) { a.Space = a.Space[:1] }, "the specification does not list the register turn"},
		{"peterson/priority", func(a *shm.Algorithm) { a.Claims.FCFS = true }, "first-come-first-served order is violated"},
		{"peterson/priority", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[0].SingleWriter = false
		}, "too weak: want has a single writer"},
		{"tas/tas", func(a *shm.Algorithm) { a.Claims.LocalSpin.CC = true }, "a bound on remote memory references with coherent caches is violated"},
		{"queue/anderson", func(a *shm.Algorithm) { a.Claims.LocalSpin.DSM = true }, "a bound on remote memory references with distributed memory is violated"},
		{"queue/ticket", func(a *shm.Algorithm) { a.Claims.StarvationFree = false }, "too weak: starvation freedom"},
		{"queue/mcs", func(a *shm.Algorithm) { a.Claims.LocalSpin.CC = false }, "too weak: a bound on remote memory references with coherent caches"},
		{"queue/mcs", func(a *shm.Algorithm) { a.Claims.LocalSpin.DSM = false }, "too weak: a bound on remote memory references with distributed memory"},
		{"queue/mcs", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[0].Values = shm.N
		}, "l takes 3 values, the specification says 2"},
		{"baseline/mutex", func(a *shm.Algorithm) { a.Class = shm.ReadWrite }, "it is undecided, though its class is not opaque"},
		{"queue/ticket", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[0].Values = shm.Const(5)
		}, "nextTicket is unbounded"},
		{"queue/mcs", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[0].Values = shm.Formula{}
		}, "l takes 3 values, the specification says it is unbounded"},
		{"bakery/lamport", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[0].Values = shm.Formula{}
		}, "choosing takes 2 values, the specification says it is unbounded"},
		{"bakery/lamport", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[0].Values = shm.Const(5)
		}, "choosing takes 2 values, the specification says 5"},
		{"numa/cmcsmcs", func(a *shm.Algorithm) { bound := shm.Const(3); a.Claims.Placed = &bound }, "behind line 3/2 a process is passed 4 times, the specification says 3"},
		{"numa/ctkttkt", func(a *shm.Algorithm) {
			a.Space = slices.Clone(a.Space)
			a.Space[2].Values = shm.Const(3)
		}, "passed takes 4 values, the specification says 3"},
	} {
		if !check.Affordable(c.name) || !sample.Has(t.Name()+c.name+c.want, 8) {
			continue
		}
		t.Log(c.name, c.want)
		tried++
		a, err := catalog.Get(c.name)
		require.NoError(t, err)
		c.change(&a)
		var found []string
		ns := []int{2}
		if strings.HasPrefix(c.want, "too weak") || a.Claims.Placed != nil { // two show less than three
			ns = []int{2, 3}
		}
		for _, r := range reportsOf(t, check.Options{N: ns}, a) {
			found = append(found, r.Disagreements...)
		}
		require.True(t, slices.ContainsFunc(found, func(d string) bool { return contains(d, c.want) }), "%s: want %q in %q", c.name, c.want, found)
	}
	require.Positive(t, tried)
}

// TestAlone: one uncontended process cannot show every claim, and a claim that it cannot show is
// not refuted.
func TestAlone(t *testing.T) {
	sample.NeedsAll(t)
	for _, r := range reportsOf(t, check.Options{N: []int{1}}, catalog.All()...) {
		require.Empty(t, r.Disagreements, r.Algorithm)
	}
}

// TestDefaultN checks for as many processes as the lock can be built for.
func TestDefaultN(t *testing.T) {
	src := check.Testdata(t, "locks")
	for constructor, want := range map[string]int{"NewPair": 1, "NewTAS": 2} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{})
		require.NoError(t, err)
		require.Len(t, reports, want, constructor)
		require.NoError(t, check.Err(reports))
	}
	reports, err := src.Lock(t.Context(), "NewPair", check.Options{N: []int{3, 2}})
	require.NoError(t, err)
	require.Equal(t, "NewPair(3) returns an error: it cannot build a lock for 3 processes", reports[0].Refused, "what was asked for is not left out")
	require.NoError(t, reports[1].Err(), "the other verdict is there")
	reports, err = src.Lock(t.Context(), "NewGate", check.Options{})
	require.NoError(t, err)
	require.ErrorContains(t, check.Err(reports), "deadlock freedom is violated")
	require.ErrorContains(t, check.Err(nil), "nothing was checked")
}
