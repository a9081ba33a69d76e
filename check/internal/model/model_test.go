package model_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/check/internal/model"
	"shmbench/internal/testkit/sample"
)

var programs = map[string]*load.Program{}

// builder builds the lock of a constructor of a package of check/testdata.
func builder(t *testing.T, pkg, constructor string) model.Builder {
	t.Helper()
	prog := programs[pkg]
	if prog == nil {
		var err error
		prog, err = load.Load(t.Context(), "", "shmbench/check/testdata/"+pkg)
		require.NoError(t, err)
		programs[pkg] = prog
	}
	return builderOf(prog, constructor)
}

// builderOf builds the lock of a constructor of a program.
func builderOf(prog *load.Program, constructor string) model.Builder {
	return func(ctx context.Context, n int) (*interp.Machine, error) {
		m := interp.New(ctx, prog)
		if err := m.Init(); err != nil {
			return nil, err
		}
		c, err := m.Constructor(constructor)
		if err != nil {
			return nil, err
		}
		return m, m.Build(c, n)
	}
}

func unmarked(l *automaton.Learner) automaton.Marks { return l.Doorways("") }

// TestLearn: what is learned of locks of each kind, and the states that their
// least models have.
func TestLearn(t *testing.T) {
	for _, c := range []struct {
		pkg, constructor string
		n, passages      int
		want             string
	}{
		{"locks", "NewTAS", 2, 0, "0 passages, 6 local states, 1 registers, 2 values, 7 states, 14 edges, two in false, unbounded map[], piling false"},
		{"locks", "NewTAS", 3, 2, "2 passages, 21 local states, 1 registers, 2 values, 249 states, 612 edges, two in false, unbounded map[], piling false"},
		{"locks", "NewNothing", 2, 0, "0 passages, 4 local states, 1 registers, 1 values, 4 states, 8 edges, two in true, unbounded map[], piling false"},
		{"locks", "NewOwner", 2, 0, "0 passages, 12 local states, 2 registers, 4 values, 20 states, 40 edges, two in false, unbounded map[], piling false"},
		{"traps", "NewCounted", 2, 0, "0 passages, 14 local states, 4 registers, 5 values, 29 states, 58 edges, two in false, unbounded map[], piling false"},
		{"traps", "NewTicket", 2, 0, "2 passages, 50 local states, 3 registers, 11 values, 81 states, 144 edges, two in false, unbounded map[next:10 serving:10], piling false"},
		{"traps", "NewTicket", 3, 1, "1 passages, 33 local states, 3 registers, 9 values, 149 states, 363 edges, two in false, unbounded map[], piling false"},
		{"nodes", "NewConstants", 2, 0, "0 passages, 24 local states, 2 registers, 10 values, 263 states, 526 edges, two in true, unbounded map[], piling false"},
		{"nodes", "NewMCS", 2, 0, "0 passages, 92 local states, 10 registers, 30 values, 233 states, 466 edges, two in false, unbounded map[], piling false"},
		{"nodes", "NewCLH", 2, 0, "0 passages, 44 local states, 6 registers, 14 values, 89 states, 178 edges, two in false, unbounded map[], piling false"},
		{"nodes", "NewEarly", 2, 0, "0 passages, 26 local states, 5 registers, 13 values, 41 states, 82 edges, two in false, unbounded map[], piling false"},
		{"nodes", "NewLinked", 2, 0, "2 passages, 54 local states, 10 registers, 30 values, 211 states, 370 edges, two in false, unbounded map[], piling true"},
		{"nodes", "NewLinked", 2, 1, "1 passages, 22 local states, 6 registers, 14 values, 45 states, 76 edges, two in false, unbounded map[], piling false"},
		{"nodes", "NewKeeps", 2, 1, "1 passages, 16 local states, 4 registers, 8 values, 17 states, 24 edges, two in false, unbounded map[], piling false"},
		{"nodes", "NewSlots", 2, 0, "0 passages, 22 local states, 5 registers, 11 values, 47 states, 94 edges, two in false, unbounded map[], piling false"},
	} {
		if piles := strings.HasSuffix(c.want, "piling true"); (c.n > 2 || piles) && !sample.All() {
			continue // it takes a second or more
		}
		lock, err := model.Learn(t.Context(), builder(t, c.pkg, c.constructor), c.n, model.Options{Passages: c.passages, Marks: unmarked})
		require.NoError(t, err, c.constructor)
		sys := explore.NewSC(lock.Model)
		g := explore.Run(t.Context(), sys, explore.Options{Workers: 2})
		require.True(t, g.Exhausted)
		_, two := g.Bad[explore.Exclusion]
		_, occurring := sys.Occurring(g, 2)
		local, values := 0, 0
		for _, p := range lock.Model.Procs {
			local += len(p.Local)
		}
		for r, reg := range lock.Model.Regs {
			values += len(reg.Values)
			for v, occurs := range occurring[r] {
				require.True(t, occurs, "%s: value %d of register %d does not occur", c.constructor, v, r)
			}
		}
		got := fmt.Sprintf("%d passages, %d local states, %d registers, %d values, %d states, %d edges, two in %v, unbounded %v, piling %v",
			lock.Passages, local, len(lock.Model.Regs), values, g.States, g.Edges, two, lock.Unbounded, lock.Piling != nil)
		require.Equal(t, c.want, got, c.constructor)
	}
}

// TestManyPassages: a limit may be large, but not larger than the largest count.
func TestManyPassages(t *testing.T) {
	lock, err := model.Learn(t.Context(), builder(t, "traps", "NewTicket"), 1, model.Options{Marks: unmarked, Passages: 100})
	require.NoError(t, err)
	require.Equal(t, 100, lock.Passages)
	require.Len(t, lock.Model.Regs[0].Values, 101)
	_, err = model.Learn(t.Context(), builder(t, "traps", "NewTicket"), 2, model.Options{Marks: unmarked, Passages: 70_000})
	require.EqualError(t, err, "70000 passages are more than the 65535 that can be counted")
}

// TestStopped: learning ends where memory piles up, and when its caller has gone.
func TestStopped(t *testing.T) {
	_, err := model.Learn(t.Context(), builder(t, "nodes", "NewLinked"), 2, model.Options{Marks: unmarked, Passages: 9})
	require.ErrorContains(t, err, "more than 8 variables of type nodes.linkedNode")

	ctx, cancel := context.WithCancel(t.Context())
	m, err := builder(t, "traps", "NewTicket")(ctx, 2)
	require.NoError(t, err)
	cancel()
	_, err = model.Learn(ctx, func(context.Context, int) (*interp.Machine, error) { return m, nil }, 2, model.Options{Marks: unmarked})
	require.ErrorIs(t, err, context.Canceled)
}

// TestBounds: whether registers are bounded is found out once for all numbers of
// processes, and what is learned then is the same; an error is not remembered.
func TestBounds(t *testing.T) {
	build, pairs, failing := builder(t, "traps", "NewTicket"), 0, true
	count := func(ctx context.Context, n int) (*interp.Machine, error) {
		if n == 2 {
			if pairs++; failing {
				return nil, errors.New("not now")
			}
		}
		return build(ctx, n)
	}
	var bounds model.Bounds
	learn := func(b *model.Bounds) (*model.Lock, error) {
		return model.Learn(t.Context(), count, 3, model.Options{Marks: unmarked, Bounds: b})
	}
	_, err := learn(&bounds)
	require.ErrorContains(t, err, "not now")
	failing, pairs = false, 0
	first, err := learn(&bounds)
	require.NoError(t, err)
	again, err := learn(&bounds)
	require.NoError(t, err)
	require.Equal(t, 1, pairs)
	require.Equal(t, 2, again.Passages)
	require.Equal(t, first.Unbounded, again.Unbounded)
	require.Equal(t, first.Seen, again.Seen)
	_, err = learn(nil)
	require.NoError(t, err)
	require.Greater(t, pairs, 1, "nothing is remembered without it")
}
