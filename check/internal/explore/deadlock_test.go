package explore_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/symmetry"
	"shmbench/internal/testkit/sample"
)

// passages makes each step of a random model stay in its section or go on to the next one.
func passages(rnd *rand.Rand, m *automaton.Model) {
	for _, p := range m.Procs {
		for s := range p.Local {
			var near []int32
			for to := range p.Local {
				if on := (p.Local[to].Section + 4 - p.Local[s].Section) % 4; on < 2 {
					near = append(near, int32(to))
				}
			}
			to := map[int32]int32{} // so that a step that reads nothing still leads to one state
			for v := range p.Local[s].Moves {
				move := &p.Local[s].Moves[v]
				if _, drawn := to[move.State]; !drawn {
					to[move.State] = near[rnd.IntN(len(near))]
				}
				move.State = to[move.State]
			}
		}
	}
}

// apart makes the processes of a random model access registers of their own more often.
func apart(rnd *rand.Rand, m *automaton.Model) {
	for pid, p := range m.Procs {
		own := int32(1 + pid%(len(m.Regs)-1))
		for s := range p.Local {
			if l := &p.Local[s]; l.Reg > 0 && len(m.Regs[l.Reg].Values) == len(m.Regs[own].Values) && rnd.IntN(4) > 0 {
				l.Reg = own
			}
		}
	}
}

// deadlocks tells whether a model has a deadlock, in the states of a system.
type deadlocks struct {
	t     *testing.T
	sc    *explore.SC
	whole *analyse.Space
}

func newDeadlocks(t *testing.T, m *automaton.Model) deadlocks {
	d := deadlocks{t: t, sc: explore.NewSC(m)}
	d.whole = d.space(d.sc, explore.Options{Keep: true})
	return d
}

func (d deadlocks) space(sys explore.System, o explore.Options) *analyse.Space {
	var sections [][]interp.Section
	for _, p := range d.sc.Model.Procs {
		var of []interp.Section
		for _, l := range p.Local {
			of = append(of, l.Section)
		}
		sections = append(sections, of)
	}
	return analyse.New(explore.Run(d.t.Context(), sys, o), 2, d.sc.Procs, sections)
}

// expected is what all states show.
func (d deadlocks) expected() bool { return d.whole.Deadlock() != nil }

// found is what the states of a reduced system show.
func (d deadlocks) found(sys explore.System) bool {
	s := d.space(sys, explore.Options{StatesOnly: true})
	if q, ok := sys.(*explore.Quotient); ok {
		has, decided := s.HasDeadlock(d.t.Context(), q, math.MaxInt64)
		require.True(d.t, decided)
		return has
	}
	l, decided := s.DeadlockWithoutEdges(d.t.Context(), math.MaxInt64)
	require.True(d.t, decided)
	return l != nil
}

// TestDeadlocksOfReducedModels: random models have a deadlock among the steps of ForDeadlocks if they have one, also up to symmetries. If
// the sets ignore that steps on a register depend on each other, or if they are those of ForFaults, some verdicts are wrong.
func TestDeadlocksOfReducedModels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1996, 1997))
	count := map[bool]int{}
	fewer, symmetric, forgotten, faults := 0, 0, 0, 0
	models := sample.Amount(2_000, 10_000)
	for i := range models {
		m := drawn(rnd)
		passages(rnd, m)
		apart(rnd, m)
		if i%2 == 0 {
			alike(rnd, m)
		}
		d := newDeadlocks(t, m)
		expected := d.expected()
		count[expected]++
		p := explore.NewPersistent(d.sc, nil, explore.ForDeadlocks)
		require.Equal(t, expected, d.found(p), "model %d: %+v", i, m)
		if explore.Run(t.Context(), p, explore.Options{}).States < d.whole.G.States {
			fewer++
		}
		if group := symmetry.Of(m); len(group) > 1 {
			symmetric++
			for _, steps := range []explore.System{d.sc, explore.NewPersistent(d.sc, group, explore.ForDeadlocks)} {
				require.Equal(t, expected, d.found(explore.NewQuotient(d.sc, steps, group)), "model %d: %+v", i, m)
			}
		}
		if d.found(explore.NewPersistent(d.sc, nil, explore.ForFaults)) != expected {
			faults++
		}
		for r := 1; r < len(m.Regs); r++ {
			wrong := explore.NewPersistent(d.sc, nil, explore.ForDeadlocks).(*explore.Persistent)
			if wrong.Forget(r); d.found(wrong) != expected {
				forgotten++
			}
		}
	}
	t.Log(count, fewer, symmetric, forgotten, faults)
	require.Greater(t, min(count[false], count[true], fewer, symmetric), models/20)
	require.Positive(t, min(forgotten, faults))
}
