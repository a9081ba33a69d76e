package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/trace"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestWitnesses: an execution that attains a bound has it for its value, as many steps that
// count, and, where there is no bound, such a step on its cycle. The compiled code runs it.
// The bounds are found in another way than the executions.
func TestWitnesses(t *testing.T) {
	sample.NeedsAll(t)
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool {
		return a.VariantOf != "" || a.Class&shm.Opaque != 0 || expensive[a.Name] || a.Explored.Procs == 2
	})
	seen := map[string]int{}
	for _, a := range sample.Some(t, locks, AlgorithmName, 4) {
		reports, err := SourceOf(t, a.Name).AlgorithmOnce(t.Context(), a, Options{N: []int{2}, MaxStates: 20_000, Witness: Witnesses, Replays: 1, AcceptUnreplayed: true})
		require.NoError(t, err)
		for _, r := range reports {
			if !r.Exhausted || r.Modes != nil || r.Memory != "sc" {
				continue
			}
			bounds := map[string]*int{"bypass": r.Bypass}
			for _, m := range shm.RMRModels {
				bounds["remote memory references of a passage, "+string(m)] = r.RMR.In(m).Among
			}
			for _, w := range r.Witnesses {
				want, known := bounds[w.Bound]
				if known {
					require.Equal(t, *want, w.Value, "%s, %s", a.Name, w.Bound)
				}
				requireAttained(t, a.Name, w)
				seen[w.Bound]++
			}
		}
	}
	require.NotEmpty(t, seen)
}

func requireAttained(t *testing.T, name string, w *trace.Trace) {
	t.Helper()
	switch {
	case w.Bound == "values of a register", w.Bound == "stores in a buffer":
	case w.Value == shm.Unbounded:
		require.GreaterOrEqual(t, w.Cycle, 0, "%s, %s", name, w.Bound)
		require.GreaterOrEqual(t, w.Counted[len(w.Counted)-1], w.Cycle, "%s, %s", name, w.Bound)
	case w.Cycle < 0:
		require.Len(t, w.Counted, w.Value, "%s, %s", name, w.Bound)
		require.Equal(t, len(w.Steps)-1, w.Counted[w.Value-1], "%s, %s: it ends when the bound is attained", name, w.Bound)
	}
}

// TestCosts: figures that follow from the pseudo-code. A fast path shows in the costs by
// contention: Lamport's fast lock polls as soon as two processes meet.
func TestCosts(t *testing.T) {
	of := func(name string, n int, o Options) *Report {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		o.N = []int{n}
		reports, err := SourceOf(t, name).Algorithms(t.Context(), "All", []shm.Algorithm{a}, o)
		require.NoError(t, err)
		return reports[len(reports)-1]
	}
	only := Options{LockOnly: true}
	ticket := of("queue/ticket", 3, only).Costs
	require.Equal(t, []int{3, 4, 5}, contention(ticket, shm.WriteBack), "a waiting process reads each ticket")
	require.Equal(t, []int{4, shm.Unbounded, shm.Unbounded}, contention(ticket, shm.Distributed))
	require.Equal(t, &StepCosts{new(2), ModelCosts{new(1), new(1), new(2)}}, ticket.Exit, "a load, which hits, and a store")
	require.Equal(t, &StepCosts{new(1), ModelCosts{new(1), new(1), new(1)}}, of("tas/tas", 2, only).Costs.Exit, "one store")
	require.Equal(t, &Means{"4", "4", "unbounded"}, ticket.Amortized, "the tickets do not limit the passages")

	lamport := of("fast/lamport", 2, only).Costs
	require.Equal(t, []int{5, shm.Unbounded}, contention(lamport, shm.Distributed))
	mcs := of("queue/mcs", 2, only)
	require.Equal(t, []int{3, 8}, contention(mcs.Costs, shm.WriteThrough))
	require.Equal(t, shm.Unbounded, *mcs.Costs.Exit.Steps, "it waits for its successor")
	require.Equal(t, &Means{"8", "7", "4"}, mcs.Costs.Amortized)
	tas := of("tas/ttas", 2, only).Costs
	require.Equal(t, &Means{"4", "4", "unbounded"}, tas.Amortized, "other processes pay for those that pass it")
	require.Equal(t, shm.Unbounded, contention(tas, shm.WriteBack)[1])
	clh := of("abort/clhtry", 2, Options{MaxStates: 20_000, Witness: []string{"abort"}})
	require.NotNil(t, clh.Modes)
	require.Equal(t, 6, *clh.Costs.Aborted.Steps, "lines 4, 5, 8, 9, 10 and 12")
	require.Equal(t, 6, clh.Witnesses[0].Value)
}

// TestCostTable: a row for each model, columns that some lock has, and a bound that there is not.
func TestCostTable(t *testing.T) {
	costs := &Costs{Contention: []ModelCosts{{new(1), new(2), new(3)}, {new(4), nil, new(shm.Unbounded)}}, Exit: &StepCosts{new(5), ModelCosts{new(6), new(7), new(8)}}}
	var out strings.Builder
	require.NoError(t, Table{{Algorithm: "a/b", N: 2, Costs: costs}, {Algorithm: "c/d", N: 2}}.writeCosts(&out))
	require.Equal(t, `
Accesses and remote memory references in the worst case, by contention, amortized, and in parts of a passage:
lock  n  model             contention 1, 2, … n  exit section
a/b   2  accesses          -                     5
a/b   2  cc write-through  1, 4                  6
a/b   2  cc write-back     2, ?                  7
a/b   2  dsm               3, unbounded          8
?: there are more than 16384 states with caches; with -witness the limit is 524288.
`, out.String())
	out.Reset()
	require.NoError(t, Table{{Algorithm: "c/d", N: 2}}.writeCosts(&out))
	require.Empty(t, out.String())
}

// contention returns the costs by contention in a model.
func contention(c *Costs, m shm.RMRModel) (all []int) {
	for _, k := range c.Contention {
		all = append(all, *k.In(m))
	}
	return all
}

// TestCheckWitness: a bound that there is none of is refused.
func TestCheckWitness(t *testing.T) {
	require.NoError(t, CheckWitness("bypass"))
	require.ErrorContains(t, CheckWitness("bypas"), "the bounds are bypass, rmr-cc")
}
