package check_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// mutantsSource is the source of the mutants that these tests look at, read once.
var mutantsSource = sync.OnceValues(func() (*check.Source, error) {
	return check.OpenMutants(slices.DeleteFunc(mutants.All(), func(m mutants.Mutant) bool {
		return !slices.ContainsFunc(brokenInvariants, func(b brokenInvariant) bool { return b.broken == m.Name })
	}))
})

// brokenInvariant is a broken form of a lock, a mutant or a constructor of
// package lemmas, that does not keep one of the lock's invariants for n
// processes, and the shortest execution that shows it.
type brokenInvariant struct {
	algorithm, invariant string
	broken               string
	n, steps             int
	end                  string
}

// brokenInvariants has at least one broken form for each invariant of the catalog.
var brokenInvariants = slices.Concat(firstBroken, fastBroken, szymanskiBroken, tournamentBroken, dijkstraBroken, attiyaWelchBroken, numaBroken)

var firstBroken = []brokenInvariant{
	{"bakery/lamport", "lemma 1", "mutants/bakery-no-plus-one", 2, 7, "process 0 is in its critical section and number[0] = 0"},
	{"bakery/lamport", "lemma 2", "mutants/bakery-no-choosing", 2, 7, "process 1 is in its critical section and (number[0], 0) = (1, 0) is before its own (1, 1)"},
	{"bakery/lamport", "number", "mutants/bakery-no-reset", 2, 8, "process 0 has number[0] = 1 in its remainder section"},
	{"bakery/lamport", "choosing", "mutants/bakery-choosing-not-cleared", 2, 6, "process 0 has choosing[0] = true in its critical section"},
	{"peterson/asymmetric", "want", "NewAsymmetric", 2, 5, "process 1 has want[1] = true in its waiting section"},
	{"peterson/asymmetric", "want while the other waits", "NewAsymmetric", 2, 6, "process 0 is in its critical section, process 1 in its waiting section, and want[0] = true, want[1] = true"},
	{"peterson/priority", "want", "NewPriority", 2, 8, "process 1 has want[1] = true in its waiting section"},
	{"peterson/peterson", "q", "mutants/peterson-never-lowers", 2, 4, "process 0 has q[0] = true in its remainder section"},
	{"peterson/peterson", "turn", "mutants/peterson-turn-other", 2, 5, "process 0 is in its critical section, process 1 waits, and turn = 0"},
	{"peterson/filter", "turn", "mutants/filter-turn-first", 3, 7, "process 1 has won level 1, process 0 competes there, and turn[1] = 1"},
	{"peterson/filter", "winners", "mutants/filter-greater", 3, 12, "processes that have won level 1: 3"},
	{"dekker/dekker", "flag", "mutants/dekker-never-lowers", 2, 3, "process 0 has flag[0] = true in its remainder section"},
	{"tas/tas", "busy", "mutants/tas-reset-by-loser", 2, 3, "busy = false, processes in their critical sections: 1"},
	{"tas/ttas", "busy", "mutants/ttas-plain-store", 2, 5, "busy = false, processes in their critical sections: 1"},
	{"tas/backoff", "busy", "NewBackoff", 2, 5, "busy = false, processes in their critical sections: 1"},
	{"cas/cas", "owner", "mutants/cas-steals", 2, 4, "process 0 is in its critical section and owner = 2"},
	{"cas/testfirst", "owner", "mutants/cas-compare-then-store", 2, 4, "process 0 is in its critical section and owner = 2"},
	{"queue/ticket", "tickets", "mutants/ticket-by-two", 2, 4, "nextTicket = 1, nowServing = 2, processes with a ticket: 0"},
	{"queue/ticketbackoff", "tickets", "mutants/ticket-by-two", 2, 4, "nextTicket = 1, nowServing = 2, processes with a ticket: 0"},
	{"queue/anderson", "token", "mutants/anderson-slot-not-cleared", 2, 2, "slots that are set: 1, processes in their critical sections: 1"},
	{"queue/mcs", "tail", "mutants/mcs-tail-kept", 2, 3, "l = 1, processes in the queue: 0"},
	{"queue/mcs", "token", "mutants/mcs-never-locked", 2, 5, "l = 2, processes with the right to enter: 2"},
	{"queue/clh", "locked", "mutants/clh-locked-late", 2, 1, "nodes that are locked: 0, processes that are not done: 1"},
	{"queue/clh", "tail", "mutants/clh-split-swap", 2, 8, "the tail has locked = false, processes in the queue: 1"},
}

// invariant returns the invariant of a lock of the catalog.
func (b brokenInvariant) of(t *testing.T) shm.Invariant {
	a, err := catalog.Get(b.algorithm)
	require.NoError(t, err)
	for _, inv := range a.Invariants {
		if inv.Name == b.invariant {
			return inv
		}
	}
	require.Fail(t, "no such invariant", "%s, %s", b.algorithm, b.invariant)
	return shm.Invariant{}
}

// report checks the broken lock with one invariant.
func (b brokenInvariant) report(t *testing.T, inv shm.Invariant, o check.Options) *check.Report {
	t.Helper()
	o.N, o.Invariants = []int{b.n}, []shm.Invariant{inv}
	var reports []*check.Report
	if strings.HasPrefix(b.broken, "mutants/") {
		src, err := mutantsSource()
		require.NoError(t, err)
		reports, err = src.Alone(t.Context(), []shm.Algorithm{mutant(t, b.broken).Algorithm}, o)
		require.NoError(t, err)
	} else {
		var err error
		reports, err = check.Testdata(t, "lemmas").Lock(t.Context(), b.broken, o)
		require.NoError(t, err)
	}
	require.Len(t, reports, 1)
	return reports[0]
}

// mutant returns a mutant.
func mutant(t *testing.T, name string) mutants.Mutant {
	t.Helper()
	all := mutants.All()
	i := slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return all[i]
}

// TestInvariantsAreBroken: each invariant of the catalog is broken by a broken
// form of its lock, in the fewest steps.
func TestInvariantsAreBroken(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	for _, b := range brokenInvariants {
		r := b.report(t, b.of(t), check.Options{NoCosts: true})
		property := check.InvariantNamed(b.invariant)
		require.Equal(t, check.Violated, r.Invariants[0].Verdict, "%s, %s", b.broken, b.invariant)
		require.Contains(t, r.Violated(), property, b.broken)
		require.Error(t, r.Err(), b.broken)
		trace := r.Counterexample(property)
		require.NotNil(t, trace, b.broken)
		assert.Equal(t, b.end, trace.End, b.broken)
		assert.Len(t, trace.Steps, b.steps, "%s\n%v", b.broken, trace)
		require.False(t, trace.Unclaimed)
	}
}

// TestEveryInvariantIsBroken: the table of broken locks leaves out no invariant,
// and each has a source.
func TestEveryInvariantIsBroken(t *testing.T) {
	for _, a := range catalog.All() {
		for _, inv := range a.Invariants {
			require.NotEmpty(t, inv.Source.Author, "%s, %s", a.Name, inv.Name)
			require.NotEmpty(t, inv.Source.Title, "%s, %s", a.Name, inv.Name)
			require.NotEmpty(t, inv.Source.Year, "%s, %s", a.Name, inv.Name)
			require.True(t, slices.ContainsFunc(brokenInvariants, func(b brokenInvariant) bool {
				return b.invariant == inv.Name && (b.algorithm == a.Name || b.algorithm == a.VariantOf)
			}), "%s: nothing breaks %q", a.Name, inv.Name)
		}
	}
}

// TestWeakInvariantsBreakNothing: what a broken lock shows, it shows of that
// invariant alone, and what is said of it is what the invariant says.
func TestWeakInvariantsBreakNothing(t *testing.T) {
	b := brokenInvariants[slices.IndexFunc(brokenInvariants, func(b brokenInvariant) bool { return b.algorithm == "peterson/peterson" })]
	for _, workers := range []int{1, 2} {
		weak := shm.Invariant{Name: "weak", Holds: func(shm.View) error { return nil }}
		r := b.report(t, weak, check.Options{Workers: workers})
		require.True(t, r.Invariants[0].Verdict.Holds())
		require.Nil(t, r.Counterexample(check.InvariantNamed("weak")))

		never := shm.Invariant{Name: "never", Holds: func(shm.View) error { return errors.New("not even\n\tat first") }}
		r = b.report(t, never, check.Options{Workers: workers})
		trace := r.Counterexample(check.InvariantNamed("never"))
		require.Empty(t, trace.Steps, "the initial state is one")
		require.Equal(t, "not even at first", trace.End, "one line")
	}
}

// TestInvariantsAreReplayed holds traces of broken invariants against the
// compiled code, as all are.
func TestInvariantsAreReplayed(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	// The program that replays has all mutants of its source.
	var algorithms []shm.Algorithm
	var broken []mutants.Mutant
	for _, b := range brokenInvariants {
		if strings.HasPrefix(b.algorithm, "queue/") {
			m := mutant(t, b.broken)
			broken = append(broken, m)
			m.Algorithm.Invariants = []shm.Invariant{b.of(t)}
			algorithms = append(algorithms, m.Algorithm)
		}
	}
	src, err := check.OpenMutants(slices.CompactFunc(broken, func(a, b mutants.Mutant) bool { return a.Name == b.Name }))
	require.NoError(t, err)
	reports, err := src.Alone(t.Context(), algorithms, check.Options{N: []int{2}, Replays: 1})
	require.NoError(t, err)
	require.Greater(t, len(reports), 4)
	for _, r := range reports {
		require.Empty(t, r.Replay.Omitted, r.Algorithm)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, r.Algorithm)
		require.NotNil(t, r.Counterexample(check.InvariantNamed(r.Invariants[0].Name)), r.Algorithm)
	}
}

// TestInvariantsWithinBounds: what was not visited leaves an invariant open, and
// what was may break it.
func TestInvariantsWithinBounds(t *testing.T) {
	never := shm.Invariant{Name: "never", Holds: func(shm.View) error { return errors.New("at once") }}
	r, err := kinds(t, check.Options{MaxStates: 10}, holds(func(shm.View) error { return nil }), never)
	require.NoError(t, err)
	require.False(t, r.Exhausted)
	require.Equal(t, check.Unknown, r.Invariants[0].Verdict)
	require.Contains(t, r.Undecided[0].Properties, check.InvariantNamed("asked"))
	require.Equal(t, check.Violated, r.Invariants[1].Verdict)

	src := check.Testdata(t, "locks")
	reports, err := src.Lock(t.Context(), "NewGoes", check.Options{N: []int{2}, Invariants: []shm.Invariant{holds(func(shm.View) error { return nil })}})
	require.NoError(t, err)
	require.NotEmpty(t, reports[0].Refused)
	require.Equal(t, check.Unknown, reports[0].Invariants[0].Verdict)
}

// TestInvariantsUnderTSO: a view shows memory, not store buffers, and no process
// must keep there what is proved of sequentially consistent memory.
func TestInvariantsUnderTSO(t *testing.T) {
	a, err := catalog.Get("queue/clh")
	require.NoError(t, err)
	r := reportsOf(t, check.Options{N: []int{2}, TSO: true}, a)[0]
	require.Equal(t, check.Violated, r.Invariants[0].Verdict, "what is in the buffer is not locked in memory")
	require.Contains(t, r.Counterexample(check.InvariantNamed("locked")).String(), "1  node[0].locked := true")
	require.Empty(t, r.Violated())
	require.NoError(t, r.Err())
}

// TestInvariantsOfVariants: a variant has the verdicts of its default layout.
func TestInvariantsOfVariants(t *testing.T) {
	reports := check.CatalogueReports(t)
	for _, r := range reports {
		a, err := catalog.Get(r.Algorithm)
		require.NoError(t, err)
		if r.Modes != nil { // they are of Lock and Unlock alone
			require.Empty(t, r.Invariants, r.Algorithm)
			continue
		}
		require.Len(t, r.Invariants, len(a.Invariants), r.Algorithm)
		for i, inv := range r.Invariants {
			require.Equal(t, a.Invariants[i].Name, inv.Name, r.Algorithm)
			require.True(t, inv.Verdict.Holds(), "%s, n=%d, %s\n%v", r.Algorithm, r.N, inv.Name, r.Counterexamples)
		}
	}
}
