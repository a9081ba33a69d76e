package mutantcheck_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/cmd/shmbench/mutantcheck"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestMutants gives every broken lock its verdict, and replays it and what it
// does wrong on the compiled code.
func TestMutants(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	for _, x := range checked(t) {
		t.Logf("%s, n=%d: %v, %d states, %.1f s", x.Name, x.Procs, x.Found, x.Report.States, x.Report.Seconds)
		require.Empty(t, x.Wrong, x.Name)
	}
}

// TestWrongEntries: an entry that differs from the verdict is wrong, and the
// text says so.
func TestWrongEntries(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	entry := func(name string, change func(*mutants.Mutant)) mutants.Mutant {
		all := mutants.All()
		m := all[slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })]
		change(&m)
		return m
	}
	loses := func(claim string) func(*mutants.Mutant) {
		return func(m *mutants.Mutant) { m.Verdict = mutants.Loses(claim) }
	}
	wrong := map[string]mutants.Mutant{
		"its entry says safety, and the verdict is deadlock":                                             entry("mutants/mcs-tail-kept", func(m *mutants.Mutant) { m.Verdict = mutants.Safety }),
		"its entry says starvation, and the verdict is equivalent":                                       entry("mutants/peterson-turn-read-first", func(m *mutants.Mutant) { m.Verdict = mutants.Starvation }),
		"its entry says equivalent, and the verdict is loses first-come-first-served order":              entry("mutants/peterson-turn-twice", func(m *mutants.Mutant) { m.Verdict = mutants.Equivalent }),
		"its entry says loses wait-free doorway, and the verdict is loses first-come-first-served order": entry("mutants/peterson-turn-twice", loses("wait-free doorway")),
		"its entry says loses first-come-first-served order, and the verdict is equivalent":              entry("mutants/peterson-turn-read-first", loses("first-come-first-served order")),
		"its entry says loses first-come-first-served order, and the verdict is safety":                  entry("mutants/peterson-turn-other", loses("first-come-first-served order")),
		"its entry says that it needs n = 3, and the verdict for n = 2 is safety":                        entry("mutants/mcs-never-locked", func(m *mutants.Mutant) { m.Procs = 3 }),
		"the class is compare-and-swap, its entry or its lock says fetch-and-add":                        entry("mutants/mcs-split-swap", func(m *mutants.Mutant) { m.Class = shm.FetchAndAdd }),
		"its entry says that it takes 2 crashes, and the verdict for 1 is deadlock":                      entry("mutants/rtas-forgets", func(m *mutants.Mutant) { m.Crashes = "2" }),
		"its entry says that it has no fault without crashes, and the verdict is safety":                 entry("mutants/rtas-load-store", func(m *mutants.Mutant) { m.Crashes = "any" }),
		"its entry says safety, and the verdict is loses critical-section re-entry":                      entry("mutants/rtas-free", func(m *mutants.Mutant) { m.Verdict = mutants.Safety }),
		"the specification does not list the register q":                                                 entry("mutants/peterson-flags-only", func(m *mutants.Mutant) { m.Space = nil }),
	}
	for says, m := range wrong {
		var all mutantcheck.All
		err := mutantcheck.Run(t.Context(), []mutants.Mutant{m}, check.Options{}, func(x *mutantcheck.Checked) { all = append(all, x) })
		require.NoError(t, err)
		require.Contains(t, all[0].Wrong, says)
		require.ErrorContains(t, all.Err(), m.Name+": ")
		var text strings.Builder
		require.NoError(t, all.WriteText(&text))
		require.Contains(t, text.String(), "DISAGREES: "+says)
	}
}

// TestLostClaims: each mutant that loses a claim loses the one that its entry names, and
// the trace shows it if one execution can. A mutant that loses two claims may name either.
func TestLostClaims(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	var twice mutants.Mutant
	for _, m := range mutants.All() {
		if m.Name == "mutants/peterson-turn-twice" {
			m.Verdict = mutants.Loses("bounded bypass")
			twice = m
		}
	}
	all := slices.DeleteFunc(slices.Clone(checked(t)), func(x *mutantcheck.Checked) bool { return x.Verdict.Claim() == "" })
	require.NoError(t, mutantcheck.Run(t.Context(), []mutants.Mutant{twice}, check.Options{Replays: 100}, func(x *mutantcheck.Checked) {
		all = append(all, x)
	}))
	traced := map[string]bool{}
	for _, x := range all {
		require.Empty(t, x.Wrong, x.Name)
		if trace := x.Trace(); trace != nil {
			require.Equal(t, x.Verdict.Claim(), trace.Property, x.Name)
			traced[trace.Property] = true
		}
		if x.Name == "mutants/bakery-doorway-waits" {
			var text strings.Builder
			require.NoError(t, mutantcheck.All{x}.WriteText(&text))
			require.Contains(t, text.String(), "the doorway up to line 3 is not wait-free for n = 2\n")
		}
	}
	for _, claim := range []string{check.FirstComeFirstServed, check.StrongTry, check.WaitFreeAbort} {
		lost := slices.ContainsFunc(all, func(x *mutantcheck.Checked) bool { return x.Verdict.Claim() == claim })
		require.Equal(t, lost, traced[claim], claim)
		require.True(t, lost || !sample.All(), claim)
	}
}

// TestCostsLeftOut: with NoCosts, the costs of passages are found where the verdict depends on them, and
// nowhere else.
func TestCostsLeftOut(t *testing.T) {
	t.Parallel()
	found := map[bool]int{}
	for _, x := range checked(t) {
		r := x.Report
		if x.Crashes != "" || x.Stores != shm.Sequential || r.Modes != nil || !r.Exhausted {
			continue
		}
		depends := x.Verdict == mutants.Equivalent || x.Verdict.Claim() != ""
		require.Equal(t, depends, r.RMR != nil, x.Name)
		found[depends]++
	}
	require.Positive(t, found[true])
	require.Positive(t, found[false])
}

// TestReleasesTooMany: each of the locks with one release too many that is looked at is refuted by a
// trace that shows what is still in the buffers.
func TestReleasesTooMany(t *testing.T) {
	t.Parallel()
	refuted := 0
	for _, x := range checked(t) {
		if x.Stores == shm.Sequential {
			continue
		}
		refuted++
		trace := x.Trace()
		require.NotNil(t, trace, x.Name)
		require.True(t, slices.ContainsFunc(trace.Steps, func(s check.Step) bool { return s.Buffered }), x.Name)
		require.Regexp(t, `not in memory yet +source\n(.*\n)*.* [01]: \S+ := \S+ `, trace.String(), x.Name)
	}
	require.GreaterOrEqual(t, refuted, 3)
}
