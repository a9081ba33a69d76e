package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/symmetry"
)

// alike makes all processes of a random model the same: the second of two is the first with registers
// and values exchanged. The third one of three is like the others.
func alike(rnd *rand.Rand, m *automaton.Model) {
	m.Procs[0] = within(m.Procs[0])
	for pid := 1; pid < m.N; pid++ {
		m.Procs[pid] = m.Procs[0]
	}
	if m.N > 2 {
		return
	}
	registers, values := make([]int32, len(m.Regs)), make([][]int32, len(m.Regs))
	for r := range m.Regs {
		registers[r] = int32(r)
	}
	for r := 1; r < len(m.Regs); r++ {
		other := 1 + rnd.IntN(len(m.Regs)-1)
		if len(m.Regs[r].Values) == len(m.Regs[other].Values) && registers[r] == int32(r) && registers[other] == int32(other) {
			registers[r], registers[other] = int32(other), int32(r)
		}
	}
	for r, reg := range m.Regs {
		for v := range reg.Values {
			values[r] = append(values[r], int32(v))
		}
	}
	for r := range values { // twice the exchange is none
		if last := len(values[r]) - 1; rnd.IntN(2) == 0 {
			values[r][0], values[r][last] = values[r][last], values[r][0]
			values[registers[r]] = values[r]
		}
	}
	m.Procs[1] = &automaton.Proc{Init: m.Procs[0].Init}
	for _, l := range m.Procs[0].Local {
		if l.Reg >= 0 {
			moves := make([]automaton.Move, len(l.Moves))
			for v, to := range l.Moves {
				moves[values[l.Reg][v]] = automaton.Move{State: to.State, Value: values[l.Reg][to.Value]}
			}
			l.Moves, l.Reg = moves, registers[l.Reg]
		}
		m.Procs[1].Local = append(m.Procs[1].Local, l)
	}
}

// within returns a process without the local states that it cannot reach.
func within(p *automaton.Proc) *automaton.Proc {
	number := map[int32]int32{p.Init: 0}
	order := []int32{p.Init}
	out := &automaton.Proc{}
	for i := 0; i < len(order); i++ {
		l := p.Local[order[i]]
		l.Moves = slices.Clone(l.Moves)
		for v, m := range l.Moves {
			if _, known := number[m.State]; !known {
				number[m.State], order = int32(len(order)), append(order, m.State)
			}
			l.Moves[v].State = number[m.State]
		}
		out.Local = append(out.Local, l)
	}
	return out
}

// faults are those that a search for bad states looks for.
var faults = []explore.Bad{explore.Exclusion, explore.Race, explore.Panic, explore.Beyond}

// compareQuotient says how the states of a model up to a group differ from its states, in what must be the
// same: each state is in the orbit of a visited one, with the same faults, at the same distance at most.
func compareQuotient(t *testing.T, m *automaton.Model, group []symmetry.Renaming) error {
	t.Helper()
	sc := explore.NewSC(m)
	whole := explore.Run(t.Context(), sc, explore.Options{})
	q := explore.NewQuotient(sc, sc, group)
	g := explore.Run(t.Context(), q, explore.Options{Workers: 2})
	in := func(g *explore.Graph) map[string]bool {
		all := map[string]bool{}
		for id := range uint32(g.States) {
			all[fmt.Sprint(g.State(id))] = true
		}
		return all
	}
	reached, orbits := in(whole), map[string]bool{}
	fixed := !slices.ContainsFunc(group, func(g symmetry.Renaming) bool { return !g.Fixes(m) })
	image, to := explore.Image{Words: sc.Words(), Of: func(s, to []uint64) { copy(to, s) }}, make([]uint64, sc.Words())
	for id := range uint32(g.States) {
		some := false
		for _, member := range q.Orbit(image) {
			member.Of(g.State(id), to)
			orbits[fmt.Sprint(to)] = true
			if some = some || reached[fmt.Sprint(to)]; fixed && !reached[fmt.Sprint(to)] {
				return fmt.Errorf("%v is no state of the model", to)
			}
		}
		if !some {
			return fmt.Errorf("no state of the orbit of %v can be reached", g.State(id))
		}
	}
	for s := range reached {
		if !orbits[s] {
			return fmt.Errorf("state %v is missing", s)
		}
	}
	for _, bad := range faults {
		id, found := g.Bad[bad]
		if _, expected := whole.Bad[bad]; found != expected {
			return fmt.Errorf("fault %d: %t, and not %t", bad, found, expected)
		}
		if !found {
			continue
		}
		path := g.Path(id)
		if len(path) != len(whole.Path(whole.Bad[bad])) {
			return fmt.Errorf("fault %d: a path of %d steps", bad, len(path))
		}
		if end := along(sc, path); end&bad == 0 {
			return fmt.Errorf("fault %d: the path leads to none", bad)
		}
	}
	return nil
}

// along makes steps in a system, and returns what is wrong with the state that they lead to.
func along(sc *explore.SC, path []int) explore.Bad {
	s, out := make([]uint64, sc.Words()), make([]uint64, sc.Words()*sc.Actors())
	sc.Initial(s)
	for _, a := range path {
		sc.Expand(s, out)
		copy(s, out[a*sc.Words():])
	}
	_, bad := sc.Expand(s, out)
	return bad
}

// wrong returns a group of the renaming that changes nothing and of one that is no symmetry: it exchanges
// two processes, and nothing else. It returns nil if that is a symmetry, or if the processes have not as many states.
func wrong(m *automaton.Model) []symmetry.Renaming {
	count := func(k int) (all []int32) {
		for i := range int32(k) {
			all = append(all, i)
		}
		return all
	}
	none := symmetry.Renaming{Procs: count(m.N), Regs: count(len(m.Regs))}
	for _, r := range m.Regs {
		none.Values = append(none.Values, count(len(r.Values)))
	}
	for _, p := range m.Procs {
		none.Locals = append(none.Locals, count(len(p.Local)))
	}
	exchanged := none
	exchanged.Procs = slices.Clone(none.Procs)
	exchanged.Procs[0], exchanged.Procs[1] = 1, 0
	if len(m.Procs[0].Local) != len(m.Procs[1].Local) || exchanged.Holds(m) {
		return nil
	}
	return []symmetry.Renaming{none, exchanged}
}

// TestQuotient: random models, most of them with processes that are alike, have the same states, faults and shortest
// paths to them up to the symmetries that are found. Up to an exchange of two processes that is no symmetry
// they have not.
func TestQuotient(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1996, 41))
	folded, moved, faulty, told, missed := 0, 0, 0, 0, 0
	for i := range 200 {
		m := drawn(rnd)
		if i%4 > 0 {
			alike(rnd, m)
		}
		all := symmetry.Of(m)
		require.True(t, i%4 == 0 || len(all) > 1, "model %d has no symmetries: %+v", i, m)
		for _, group := range [][]symmetry.Renaming{all, symmetry.Fixing(all, m)} {
			if len(group) < 2 {
				continue
			}
			folded++
			if len(group) < len(all) {
				moved++
			}
			require.NoError(t, compareQuotient(t, m, group), "model %d: %+v", i, m)
		}
		if len(explore.Run(t.Context(), explore.NewSC(m), explore.Options{}).Bad) > 0 {
			faulty++
		}
		if group := wrong(m); group != nil {
			if compareQuotient(t, m, group) != nil {
				told++
			} else {
				missed++
			}
		}
	}
	t.Log(folded, moved, faulty, told, missed)
	require.Greater(t, folded, 150)
	require.Greater(t, moved, 10)
	require.Greater(t, faulty, 50)
	require.Greater(t, told, 3*missed)
}

// rings returns a model of processes that each go around in a ring of local states.
func rings(processes, length int) *automaton.Model {
	m := &automaton.Model{N: processes, Regs: []automaton.Reg{{Values: []interp.Value{nil}}}}
	for range processes {
		p := &automaton.Proc{}
		for s := range length {
			p.Local = append(p.Local, automaton.Local{Section: interp.Entry, Moves: []automaton.Move{{State: int32((s + 1) % length)}}})
		}
		p.Local[0].Section = interp.Remainder
		m.Procs = append(m.Procs, p)
	}
	return m
}

// limited is a quotient that ends a context after some steps.
type limited struct {
	*explore.Quotient
	left *int
	stop context.CancelFunc
}

func (l limited) Expand(from, out []uint64) (enabled uint64, bad explore.Bad) {
	if *l.left--; *l.left == 0 {
		l.stop()
	}
	return l.Quotient.Expand(from, out)
}

// TestCheckpointOfAQuotient: a search up to symmetries that was interrupted is continued, and never as a search of all states.
func TestCheckpointOfAQuotient(t *testing.T) {
	m := rings(4, 30)
	sc := explore.NewSC(m)
	q := explore.NewQuotient(sc, sc, symmetry.Of(m))
	require.Equal(t, 24, q.Order())
	whole := explore.Run(t.Context(), q, explore.Options{})
	require.Equal(t, 33*32*31*30/24, whole.States) // multisets of four local states
	file := filepath.Join(t.TempDir(), "checkpoint")
	run := func(sys func(stop context.CancelFunc) explore.System) (*explore.Graph, error) {
		c, err := explore.OpenCheckpoint(file, "rings")
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		g := explore.Run(ctx, sys(stop), explore.Options{Workers: 1, Checkpoint: c})
		return g, c.Close()
	}
	left := 20_000
	g, err := run(func(stop context.CancelFunc) explore.System { return limited{q, &left, stop} })
	require.NoError(t, err)
	require.False(t, g.Exhausted)
	_, err = run(func(context.CancelFunc) explore.System { return sc })
	require.ErrorContains(t, err, "was made with another lock or by another version")
	left = 0
	g, err = run(func(stop context.CancelFunc) explore.System { return limited{q, &left, stop} })
	require.NoError(t, err)
	sameGraph(t, whole, g)
	require.Less(t, -left, whole.States-10_000)
}
