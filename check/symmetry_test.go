package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/symmetry"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// noSymmetries makes a search count every state.
func noSymmetries(*automaton.Model) []symmetry.Renaming { return nil }

// exchanged takes the first two processes for the same, as they are, without a look at their steps.
func exchanged(m *automaton.Model) []symmetry.Renaming {
	identity := func(count int) (all []int32) {
		for i := range int32(count) {
			all = append(all, i)
		}
		return all
	}
	none := symmetry.Renaming{Procs: identity(m.N), Regs: identity(len(m.Regs))}
	for _, r := range m.Regs {
		none.Values = append(none.Values, identity(len(r.Values)))
	}
	for _, p := range m.Procs {
		none.Locals = append(none.Locals, identity(len(p.Local)))
	}
	wrong := none
	wrong.Procs = slices.Clone(none.Procs)
	wrong.Procs[0], wrong.Procs[1] = 1, 0
	if len(m.Procs[0].Local) != len(m.Procs[1].Local) {
		return nil
	}
	return []symmetry.Renaming{none, wrong}
}

// compared counts what has been compared, with symmetries and without.
type compared struct{ reports, reduced, persistent, violated int }

// sameSafety says how the reports with and without symmetries differ. States, transitions and depth may, and so may
// which of the shortest counterexamples is found.
func (c *compared) sameSafety(with, without []*check.Report) error {
	if len(with) != len(without) {
		return fmt.Errorf("%d reports, and not %d", len(with), len(without))
	}
	for i, r := range with {
		w := without[i]
		c.reports++
		if r.Renamings > 0 {
			c.reduced++
		}
		if r.PartialOrder {
			c.persistent++
		}
		got, want := safetyOf(r), safetyOf(w)
		for _, counted := range []string{"states", "transitions", "depth"} {
			delete(got, counted)
			delete(want, counted)
		}
		if !r.Exhausted || !w.Exhausted {
			if r.Exhausted != w.Exhausted && r.Renamings == 0 && !r.PartialOrder {
				return fmt.Errorf("%s, n=%d: fully explored: %t, and not %t", r.Algorithm, r.N, r.Exhausted, w.Exhausted)
			}
			continue
		}
		traces := slices.Clone(w.Counterexamples)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("%s, n=%d: %v, and not %v", r.Algorithm, r.N, got, want)
		}
		if len(r.Counterexamples) != len(traces) {
			return fmt.Errorf("%s, n=%d: %d counterexamples, and not %d", r.Algorithm, r.N, len(r.Counterexamples), len(traces))
		}
		for k, t := range r.Counterexamples {
			c.violated++
			if o := traces[k]; t.Property != o.Property || !r.PartialOrder && len(t.Actors) != len(o.Actors) {
				return fmt.Errorf("%s, n=%d: %d steps to a violation of %s, and not %d", r.Algorithm, r.N, len(t.Actors), t.Property, len(o.Actors))
			}
		}
	}
	return nil
}

// compareSafety checks locks with the symmetries that find finds and without.
func (c *compared) compareSafety(o check.Options, find func(*automaton.Model) []symmetry.Renaming, reports func(o check.Options) ([]*check.Report, error)) error {
	without, err := reports(check.UpTo(o, noSymmetries, false))
	if err != nil {
		return err
	}
	for _, reduced := range []check.Options{check.UpTo(o, find, false), check.UpTo(o, noSymmetries, true), check.UpTo(o, find, true)} {
		with, err := reports(reduced)
		if err != nil {
			return err
		}
		if err := c.sameSafety(with, without); err != nil {
			return err
		}
	}
	return nil
}

// TestSymmetriesKeepVerdicts: a search up to symmetries has the verdicts of one of all states, and shortest counterexamples
// of the same length.
func TestSymmetriesKeepVerdicts(t *testing.T) {
	t.Parallel()
	var c compared
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.VariantOf != "" || !check.Affordable(a.Name) })
	always := []string{"queue/mcsh", "queue/clhstandard"}
	o := check.Options{N: []int{2, 3}, MaxStates: 20_000}
	for _, a := range locks {
		if !slices.Contains(always, a.Name) && (!sample.All() || !sample.Drawn(a.Name, 10)) {
			continue // TestReductionsOfTheCatalogue compares them
		}
		require.NoError(t, c.compareSafety(o, symmetry.Of, func(o check.Options) ([]*check.Report, error) {
			return check.SourceOf(t, a.Name).Algorithms(t.Context(), "All", []shm.Algorithm{a}, o)
		}))
	}
	o.N, o.Replays = []int{2}, sample.Amount(0, 100)
	require.NoError(t, c.compareSafety(o, symmetry.Of, func(o check.Options) ([]*check.Report, error) {
		return check.Testdata(t, "locks").Locks(t.Context(), brokenLocks, o)
	}))
	require.Positive(t, c.violated)
	require.Positive(t, c.reduced)
	require.Positive(t, c.persistent)
	t.Log(c)
}

// TestSymmetriesOfRandomLocks: random locks have the same verdicts with and without symmetries. The comparison fails where two
// processes are taken for the same that are not.
func TestSymmetriesOfRandomLocks(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1996, 1982))
	all := make([]*program, sample.Amount(60, 600))
	names := make([]string, len(all))
	for i := range all {
		all[i], names[i] = randomProgram(rnd), fmt.Sprintf("New%d", i)
	}
	src := written(t, all)
	var c compared
	told := 0
	for _, name := range names {
		reports := func(o check.Options) ([]*check.Report, error) { return src.Lock(t.Context(), name, o) }
		o := check.Options{N: []int{2}, Workers: 1}
		require.NoError(t, c.compareSafety(o, symmetry.Of, reports))
		if new(compared).compareSafety(o, exchanged, reports) != nil {
			told++
		}
	}
	t.Log(c, told)
	require.Greater(t, c.reduced, len(all)/3)
	require.Greater(t, c.violated, len(all)/10)
	require.Greater(t, told, len(all)/20)
	if sample.All() {
		src, list := randomLocksOf(t, rnd, 100, 3)
		require.NoError(t, c.compareSafety(check.Options{N: []int{2, 3}, MaxStates: 1 << 16}, symmetry.Of, func(o check.Options) ([]*check.Report, error) {
			return src.Algorithms(t.Context(), "All", list, o)
		}))
	}
}

// TestSymmetries: the automata of a lock show which of its processes are the same.
func TestSymmetries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lock      string
		n         int
		renamings int // 0 if there are none
	}{
		{"tas/tas", 3, 6}, {"tas/ttas", 4, 24}, {"queue/mcs", 3, 6},
		{"queue/ticket", 3, 0}, {"queue/anderson", 2, 0}, // counters are explored without renamings
		{"bakery/lamport", 2, 0}, {"peterson/filter", 3, 0}, {"peterson/tsay", 2, 2}, {"tournament/yanganderson", 3, 2},
		{"rw/ksuh", 4, 24}, // with a quarter of the guesses, only 4 are found
		// Nodes that go from process to process, and their processes.
		{"queue/clhstandard", 2, 12}, {"queue/clhstandard", 3, 144},
		// Its invariants name processes, so the initial state must stay as it is.
		{"queue/clh", 3, 6},
		// A register has so many values that a renaming is found only from the initial state.
		{"recoverable/rclh", 3, 6}, {"recoverable/rticket", 3, 6},
	} {
		if !sample.All() && !strings.HasPrefix(c.lock, "queue/") && c.lock != "recoverable/rclh" {
			continue
		}
		a, err := catalog.Get(c.lock)
		require.NoError(t, err)
		for _, r := range reportsOf(t, check.Options{N: []int{c.n}, Safety: true, LockOnly: true}, a) {
			require.Equal(t, c.renamings, r.Renamings, "%s, n=%d", c.lock, c.n)
		}
	}
}

// TestInvariantsOfOneProcess: an invariant that names a process is asked of all states that a visited one stands for.
func TestInvariantsOfOneProcess(t *testing.T) {
	t.Parallel()
	a, err := catalog.Get("queue/mcs")
	require.NoError(t, err)
	for process := range 3 {
		o := check.Options{N: []int{3}, LockOnly: true, Invariants: []shm.Invariant{{Name: "never", Holds: func(v shm.View) error {
			if v.Section(process) == shm.Critical {
				return fmt.Errorf("process %d is in its critical section", process)
			}
			return nil
		}}}}
		whole := reportsOf(t, check.UpTo(o, noSymmetries, false), a)[0].Counterexample(`the invariant "never"`)
		reduced := reportsOf(t, check.UpTo(o, symmetry.Of, true), a)[0]
		trace := reduced.Counterexample(`the invariant "never"`)
		require.Positive(t, reduced.Renamings)
		require.NotNil(t, trace)
		require.Equal(t, whole.End, trace.End)
		require.Len(t, trace.Actors, len(whole.Actors))
	}
}

// TestPartialOrderAfterABound: where a bound ends a search with all steps, partial-order reduction decides safety and deadlock freedom. If a
// bound ends that search, too, a search with fewer steps decides safety.
func TestPartialOrderAfterABound(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	const lock = "queue/mcsh"
	i := slices.IndexFunc(catalog.All(), func(a shm.Algorithm) bool { return a.Name == lock })
	o := check.Options{N: []int{4}, Safety: true}
	for bound, deadlock := range map[int]check.Verdict{6_400: check.Holds, 4_000: check.Unknown} {
		o.MaxStates = bound
		r := reportsOf(t, o, catalog.All()[i])[0]
		require.True(t, r.PartialOrder)
		require.True(t, r.Exhausted)
		require.Less(t, r.States, bound)
		require.Equal(t, check.Holds, r.MutualExclusion)
		require.Equal(t, deadlock, r.DeadlockFreedom)
		if deadlock == check.Unknown {
			require.Len(t, r.Undecided, 1)
			require.Equal(t, "deadlock freedom: the search with the steps that deadlock freedom depends on reached a bound", r.Undecided[0].String())
		}

		whole := reportsOf(t, check.UpTo(o, symmetry.Of, false), catalog.All()[i])[0]
		require.False(t, whole.Exhausted)
		require.Equal(t, check.Unknown, whole.MutualExclusion)
	}
}
