package explore_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/symmetry"
	"shmbench/internal/testkit/sample"
)

// compareFaults says how the faults that a system with fewer steps has differ from those of a model. Each process reaches the same
// local states, too.
func compareFaults(t *testing.T, m *automaton.Model, sys explore.System) error {
	t.Helper()
	sc := explore.NewSC(m)
	whole := explore.Run(t.Context(), sc, explore.Options{})
	g := explore.Run(t.Context(), sys, explore.Options{Workers: 2})
	for _, bad := range faults {
		id, found := g.Bad[bad]
		if _, expected := whole.Bad[bad]; found != expected {
			return fmt.Errorf("fault %d: %t, and not %t", bad, found, expected)
		}
		if found && along(sc, g.Path(id))&bad == 0 {
			return fmt.Errorf("fault %d: the path leads to none", bad)
		}
	}
	if _, quotient := sys.(*explore.Quotient); quotient {
		return nil
	}
	reached, _ := sc.Occurring(g, 1)
	if expected, _ := sc.Occurring(whole, 1); !reflect.DeepEqual(expected, reached) {
		return fmt.Errorf("processes reach the local states %v, and not %v", reached, expected)
	}
	return nil
}

// TestPersistent: random models have the same faults with persistent sets as with all steps, also up to symmetries. If the
// sets ignore that steps on a register depend on each other, some faults are not found.
func TestPersistent(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1996, 1032))
	fewer, faulty, missed := 0, 0, 0
	for i := range 600 {
		m := drawn(rnd)
		if i%2 == 0 {
			alike(rnd, m)
		}
		sc := explore.NewSC(m)
		p := explore.NewPersistent(sc, nil, explore.ForFaults)
		require.NoError(t, compareFaults(t, m, p), "model %d: %+v", i, m)
		whole, reduced := explore.Run(t.Context(), sc, explore.Options{}), explore.Run(t.Context(), p, explore.Options{})
		require.LessOrEqual(t, reduced.States, whole.States)
		if reduced.States < whole.States {
			fewer++
		}
		if len(whole.Bad) > 0 {
			faulty++
		}
		if group := symmetry.Of(m); len(group) > 1 {
			q := explore.NewQuotient(sc, explore.NewPersistent(sc, group, explore.ForFaults), group)
			require.NoError(t, compareFaults(t, m, q), "model %d: %+v", i, m)
		}
		for r := 1; r < len(m.Regs); r++ {
			wrong := explore.NewPersistent(sc, nil, explore.ForFaults).(*explore.Persistent)
			if wrong.Forget(r); compareFaults(t, m, wrong) != nil {
				missed++
			}
		}
	}
	t.Log(fewer, faulty, missed)
	require.Greater(t, fewer, 50)
	require.Greater(t, faulty, 200)
	require.Positive(t, missed)
}

// TestPersistentLacks: where a random model lacks a value that occurs, persistent sets come upon it, too. If the sets ignore that steps on a
// register depend on each other, they sometimes do not.
func TestPersistentLacks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1974, 1996))
	lacks := func(sys explore.System) bool {
		_, missing := explore.Run(t.Context(), sys, explore.Options{}).Bad[explore.Missing]
		return missing
	}
	count, missed := map[bool]int{}, 0
	for i := range sample.Amount(2000, 8000) {
		m := drawn(rnd)
		apart(rnd, m)
		for _, p := range m.Procs {
			for s := range p.Local {
				for v := range p.Local[s].Moves {
					if p.Local[s].Kind&automaton.Writes != 0 && rnd.IntN(12) == 0 {
						p.Local[s].Moves[v] = automaton.Move{State: -1, Value: automaton.Unknown}
					}
				}
			}
		}
		sc := explore.NewSC(m)
		expected := lacks(sc)
		count[expected]++
		for _, steps := range []explore.Steps{explore.ForDeadlocks, explore.ForFaults} {
			require.Equal(t, expected, lacks(explore.NewPersistent(sc, nil, steps)), "model %d: %+v", i, m)
			for r := 1; r < len(m.Regs); r++ {
				wrong := explore.NewPersistent(sc, nil, steps).(*explore.Persistent)
				if wrong.Forget(r); lacks(wrong) != expected {
					missed++
				}
			}
		}
	}
	t.Log(count, missed)
	require.Greater(t, min(count[false], count[true]), 500)
	require.Positive(t, missed)
}
