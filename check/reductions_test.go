package check

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
	"shmbench/catalog/mutants"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/symmetry"
	"shmbench/check/internal/verdict"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// reductions compares searches with and without reductions of locks that are learned once.
type reductions struct {
	t                                     *testing.T
	machines                              *source.Machines
	locks, mixed, symmetric, partial, bad int
}

// compare compares the verdicts on a lock, for passages by Lock and Unlock and in all modes, and the lengths of its counterexamples. The search
// of all states visits at most so many.
func (c *reductions) compare(pkg *source.Package, a shm.Algorithm, n, most int) {
	c.t.Helper()
	l := pkg.Algorithm("All", a)
	var err error
	l.Invariants, err = invariantsOf(&a, nil)
	require.NoError(c.t, err)
	c.compareModes(l, n, most)
	c.compareModes(l.Mix(), n, most)
}

func (c *reductions) compareModes(l *source.Lock, n, most int) {
	c.t.Helper()
	b := source.NewBuilder(l, c.machines)
	o := explore.Options{Workers: 1, MaxStates: most, StatesOnly: true, Steps: explore.AllSteps}
	m, err := b.Build(c.t.Context(), n)
	if err != nil || l.Mixed && len(m.Modes()) < 2 {
		return // for other numbers of processes, or the modes have been compared
	}
	if l.Mixed {
		c.mixed++
	}
	learned, err := model.Of(c.t.Context(), b.Build, m, b.Options(0, o))
	if err != nil {
		return // it takes more states, or it cannot be modeled
	}
	again := *learned
	again.Sys, again.Graph = nil, nil
	judge := func(o explore.Options) (map[string]any, *explored.Lock) {
		x := explored.Consistent(c.t.Context(), l, &again, o)
		d, err := decide(c.t.Context(), x.Complete(), 0)
		if fault := (*interp.Fault)(nil); err != nil && errors.As(err, &fault) {
			return nil, x
		}
		require.NoError(c.t, err, l.Called())
		of := map[string]any{"exclusion": d.safety.exclusion, "races": d.safety.races, "panics": d.safety.panics, "invariants": d.invariants.all}
		traces := slices.Concat(d.safety.traces, d.invariants.traces)
		if d.deadlock != nil {
			of["deadlock"], traces = d.deadlock.verdict, append(traces, d.deadlock.traces...)
		}
		for _, t := range traces {
			if of[t.Property] = true; o.Steps == explore.AllSteps {
				of[t.Property+", steps"] = len(t.Actors)
			}
		}
		return of, x
	}
	want, whole := judge(o)
	if !whole.Graph.Exhausted {
		return
	}
	c.locks++
	if len(whole.Graph.Bad) > 0 {
		c.bad++
	}
	for k := 1; k < 6; k++ {
		o := o
		if o.Steps = explore.AllSteps + explore.Steps(k/2); k%2 != 0 {
			o.Symmetries = symmetry.Of
		}
		got, x := judge(o)
		if o.Steps == explore.ForFaults {
			for _, of := range []map[string]any{want, got} {
				delete(of, "deadlock")
				delete(of, verdict.DeadlockFreedom)
			}
		}
		if o.Steps != explore.AllSteps {
			maps.DeleteFunc(want, func(of string, _ any) bool { return strings.HasSuffix(of, ", steps") })
		}
		require.Equal(c.t, want, got, "%s, n=%d: symmetries %t, steps %d", l.Called(), n, k%2 != 0, o.Steps)
		require.LessOrEqual(c.t, x.Graph.States, whole.Graph.States)
		symmetries, made := explore.ReductionsOf(x.Graph.Sys)
		c.symmetric, c.partial = c.symmetric+min(symmetries, 1), c.partial+map[bool]int{true: 1}[made > explore.AllSteps]
	}
}

// TestReductionsOfTheCatalogue: reductions change no verdict on a lock of the catalog that takes few states for two, three or four processes.
func TestReductionsOfTheCatalogue(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src, err := wholeCatalog()
	require.NoError(t, err)
	c := &reductions{t: t, machines: source.NewMachines(0)}
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool {
		return a.VariantOf != "" || a.Stores == shm.Released || expensive[a.Name]
	})
	for _, a := range sample.Of(t, locks, func(a shm.Algorithm) string { return a.Name }, 40) {
		for n, most := range map[int]int{2: 30_000, 3: 30_000, 4: 10_000} {
			if n >= a.MinProcs && n <= a.MaxProcs {
				c.compare(src.pkg, a, n, most)
			}
		}
	}
	t.Logf("%d locks, %d of them in all modes, %d searches up to symmetries, %d with persistent sets", c.locks, c.mixed, c.symmetric, c.partial)
	if sample.All() {
		require.Greater(t, c.symmetric, 200)
		require.Greater(t, c.partial, 100)
	}
}

// TestReductionsOfWrongLocks: nor on a known-broken lock or a mutant.
func TestReductionsOfWrongLocks(t *testing.T) {
	t.Parallel()
	c := &reductions{t: t, machines: source.NewMachines(0)}
	src, err := Open(t.Context(), "", "shmbench/catalog/knownbroken")
	require.NoError(t, err)
	for _, l := range sample.Of(t, knownbroken.All(), func(l knownbroken.Lock) string { return l.Name }, 50) {
		c.compare(src.pkg, l.Algorithm, max(l.Procs, l.MinProcs, 2), 50_000)
	}
	some := sample.Of(t, mutants.All(), func(m mutants.Mutant) string { return m.Name }, 200)
	c.machines = source.NewMachines(0)
	src, err = OpenMutants(some)
	require.NoError(t, err)
	for _, m := range some {
		c.compare(src.pkg, m.Algorithm, cmp.Or(m.Procs, 2), 50_000)
	}
	t.Logf("%d locks, %d of them in all modes, %d with faults, %d searches up to symmetries, %d with persistent sets", c.locks, c.mixed, c.bad, c.symmetric, c.partial)
	if sample.All() {
		require.Greater(t, c.bad, 100)
		require.Greater(t, c.symmetric, 400)
		require.Greater(t, c.partial, 300)
	}
}
