package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/shm"
)

// kinds checks the lock of package lemmas that has a cell of each kind.
func kinds(t *testing.T, o check.Options, invariants ...shm.Invariant) (*check.Report, error) {
	t.Helper()
	src := check.Testdata(t, "lemmas")
	o.N, o.Invariants = []int{2}, invariants
	reports, err := src.Lock(t.Context(), "NewKinds", o)
	if err != nil {
		return nil, err
	}
	require.NotEmpty(t, reports)
	return reports[0], nil
}

// holds is an invariant without a fault.
func holds(ask func(v shm.View) error) shm.Invariant {
	return shm.Invariant{Name: "asked", Holds: ask}
}

// TestViews: an invariant sees each kind of register, by whatever indices it
// has, and where the processes are.
func TestViews(t *testing.T) {
	r, err := kinds(t, check.Options{}, holds(func(v shm.View) error {
		if v.N() != 2 {
			return fmt.Errorf("n = %d", v.N())
		}
		inside := -1
		for i := range 2 {
			if v.Section(i) == shm.Critical {
				inside = i
			}
		}
		if inside < 0 {
			return nil
		}
		node := fmt.Sprintf("node[%d]", inside)
		switch {
		case !v.Bool("busy"), v.Int("busy") != 1:
			return errors.New("not busy")
		case v.Int("level") != -2-inside:
			return fmt.Errorf("level = %d", v.Int("level"))
		case v.Ref("last") != node:
			return fmt.Errorf("last is %q", v.Ref("last"))
		case !v.Bool("node.set", inside), !v.Bool(node + ".set"), v.Bool("node.set", 1-inside):
			return errors.New("not the set node")
		case v.Int("far") != inside:
			return fmt.Errorf("far = %d", v.Int("far"))
		case v.Int("shared") != inside:
			return fmt.Errorf("shared = %d", v.Int("shared"))
		case v.Int("grid", 0, 1) != 0, v.Int("grid", 1, 2) > 1:
			return fmt.Errorf("grid = %d, %d", v.Int("grid", 0, 1), v.Int("grid", 1, 2))
		}
		return nil
	}), shm.Invariant{Name: "nil", Holds: func(v shm.View) error {
		if shm.In(v, shm.Remainder) == v.N() && v.Ref("last") != "nil" {
			return fmt.Errorf("last is %q", v.Ref("last"))
		}
		for i := range v.N() {
			if v.Section(i) == shm.Remainder && !(v.At(i, "7") && v.At(i, "8") && !v.At(i, "6")) {
				return fmt.Errorf("process %d is not on its first line", i)
			}
		}
		return nil
	}}, shm.Invariant{Name: "grid", Holds: func(v shm.View) error {
		if v.Int("grid", 1, 2) == 1 {
			return errors.New("it is 1 too")
		}
		return nil
	}})
	require.NoError(t, err)
	require.Equal(t, check.Holds, r.Invariants[0].Verdict, r.Counterexamples)
	require.Equal(t, check.Holds, r.Invariants[1].Verdict, r.Counterexamples)
	require.Equal(t, check.Violated, r.Invariants[2].Verdict)
}

// TestLinesAreToldApart: an invariant can tell lines that do the same, which
// makes no difference to anything else.
func TestLinesAreToldApart(t *testing.T) {
	src := check.Testdata(t, "lemmas")
	states := map[string]int{}
	for _, line := range []string{"", "2", "3"} {
		o := check.Options{N: []int{2}}
		if line != "" {
			o.Invariants = []shm.Invariant{holds(func(v shm.View) error {
				if v.At(1, line) && v.Section(1) != shm.Waiting {
					return fmt.Errorf("line %s in the %v section", line, v.Section(1))
				}
				if v.At(1, line) && !v.At(1, "4") {
					return errors.New("it gets there")
				}
				return nil
			})}
		}
		reports, err := src.Lock(t.Context(), "NewTwice", o)
		require.NoError(t, err)
		states[line] = reports[0].States
		if line != "" {
			trace := reports[0].Counterexample(check.InvariantNamed("asked"))
			require.Equal(t, "it gets there", trace.End)
			require.Len(t, trace.Steps, map[string]int{"2": 2, "3": 3}[line])
		}
	}
	require.Equal(t, states["2"], states["3"])
	require.Less(t, states[""], states["2"])
}

// TestInvariantsOfAllocatedNodes: nodes that Lock allocates are in view through
// the pointers that lead to them.
func TestInvariantsOfAllocatedNodes(t *testing.T) {
	src := check.Testdata(t, "nodes")
	reports, err := src.Lock(t.Context(), "NewMCS", check.Options{N: []int{2}, Invariants: []shm.Invariant{
		{Name: "tail", Holds: func(v shm.View) error {
			if v.Ref("tail") == "nil" && shm.In(v, shm.Critical) > 0 {
				return errors.New("somebody is inside and the queue is empty")
			}
			return nil
		}},
		{Name: "locked", Holds: func(v shm.View) error {
			if tail := v.Ref("tail"); tail != "nil" && v.Bool(tail+".locked") {
				return errors.New(tail + " is locked")
			}
			return nil
		}},
	}})
	require.NoError(t, err)
	r := reports[0]
	require.Equal(t, check.Holds, r.Invariants[0].Verdict)
	trace := r.Counterexample(check.InvariantNamed("locked"))
	require.Equal(t, "mcsNode#2 is locked", trace.End)
	require.Len(t, trace.Steps, 3)
}

// TestForgottenRegistersAreKept: a register that no step depends on is no part of a
// state, unless an invariant asks for it.
func TestForgottenRegistersAreKept(t *testing.T) {
	r, err := kinds(t, check.Options{}, holds(func(shm.View) error { return nil }))
	require.NoError(t, err)
	require.Zero(t, r.Passages)
	r, err = kinds(t, check.Options{}, holds(func(v shm.View) error {
		if v.Int("turns") > 4 {
			return errors.New("more than two passages each")
		}
		return nil
	}))
	require.NoError(t, err)
	require.Equal(t, check.Verdict("holds within 2 passages"), r.Invariants[0].Verdict)
	r, err = kinds(t, check.Options{}, holds(func(v shm.View) error {
		if v.Int("turns") > 3 {
			return errors.New("four turns")
		}
		return nil
	}))
	require.NoError(t, err)
	require.Equal(t, check.Violated, r.Invariants[0].Verdict)
}

// TestWrongInvariants: an invariant that asks for a register that does not exist, or
// panics, ends the check in one line that names the invariant.
func TestWrongInvariants(t *testing.T) {
	ask := func(ask func(v shm.View)) []shm.Invariant {
		return []shm.Invariant{holds(func(v shm.View) error {
			ask(v)
			return nil
		})}
	}
	ok := func(shm.View) error { return nil }
	for want, invariants := range map[string][]shm.Invariant{
		`lemmas/NewKinds, n=2: the invariant "asked": there is no register numbr; the lock has busy, far, grid[0..1][0..2], last, level, node.set[0..1], shared and turns`: ask(func(v shm.View) { v.Int("numbr") }),
		`there is no register node.set[2];`:                                                 ask(func(v shm.View) { v.Bool("node.set", 2) }),
		`there is no register busy[0];`:                                                     ask(func(v shm.View) { v.Bool("busy", 0) }),
		`there is no register node.set;`:                                                    ask(func(v shm.View) { v.Bool("node.set") }),
		`own[1] is not in view: process 1 has it to itself`:                                 ask(func(v shm.View) { v.Int("own", 1) }),
		`level holds -1, which is no boolean`:                                               ask(func(v shm.View) { v.Bool("level") }),
		`last holds no number`:                                                              ask(func(v shm.View) { v.Int("last") }),
		`level holds no pointer`:                                                            ask(func(v shm.View) { v.Ref("level") }),
		`there is no process 2: they are 0 to 1`:                                            ask(func(v shm.View) { v.Section(2) }),
		`there is no line labeled "9"; the lock has 1, 2, 3, 4, 5, 6, 7 and 8`:              ask(func(v shm.View) { v.At(0, "9") }),
		`the invariant "asked" panics: runtime error: index out of range [2] with length 2`: ask(func(v shm.View) { _ = make([]int, v.N())[v.N()] }),
		`lemmas/NewKinds: invariant number 2 has no name`:                                   {holds(ok), {Holds: ok}},
		`there are two invariants "asked": give each a name of its own`:                     {holds(ok), holds(ok)},
		`the invariant "empty" has no predicate: set Holds`:                                 {{Name: "empty"}},
	} {
		_, err := kinds(t, check.Options{}, invariants...)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
		require.LessOrEqual(t, strings.Count(err.Error(), "lemmas/NewKinds"), 1, err)
	}
	many := make([]shm.Invariant, 65)
	for i := range many {
		many[i] = shm.Invariant{Name: fmt.Sprint(i), Holds: ok}
	}
	_, err := kinds(t, check.Options{}, many...)
	require.ErrorContains(t, err, "65 invariants are too many: a lock can have 64")
	r, err := kinds(t, check.Options{}, many[:64]...)
	require.NoError(t, err)
	require.Equal(t, check.Holds, r.Invariants[63].Verdict)
}
