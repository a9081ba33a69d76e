package automaton_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
)

// TestMostStores: how many stores can be on their way at once, along the longest way
// between accesses that wait for them.
func TestMostStores(t *testing.T) {
	const loads, stores, both = automaton.Reads, automaton.Writes, automaton.Reads | automaton.Writes
	type local struct {
		kind automaton.AccessKind
		next []int32
	}
	for name, c := range map[string]struct {
		locals []local
		most   int
	}{
		"loads":                             {[]local{{loads, []int32{1}}, {loads, []int32{0}}}, 0},
		"swaps":                             {[]local{{both, []int32{1}}, {both, []int32{0}}}, 0},
		"a store, and a swap":               {[]local{{stores, []int32{1}}, {both, []int32{0}}}, 1},
		"two stores, loads between":         {[]local{{stores, []int32{1}}, {loads, []int32{2}}, {stores, []int32{3}}, {both, []int32{0}}}, 2},
		"two ways":                          {[]local{{stores, []int32{1, 2}}, {both, []int32{0}}, {stores, []int32{3}}, {stores, []int32{1}}}, 3},
		"a loop of loads between":           {[]local{{stores, []int32{1}}, {loads, []int32{1, 2}}, {stores, []int32{3}}, {both, []int32{0}}}, 2},
		"a loop of stores":                  {[]local{{stores, []int32{1}}, {loads, []int32{0}}}, automaton.Endless},
		"a loop of stores, after a swap":    {[]local{{both, []int32{1}}, {stores, []int32{1}}}, automaton.Endless},
		"an end":                            {[]local{{stores, []int32{1}}, {stores, nil}}, 2},
		"a swap on one way round, not both": {[]local{{stores, []int32{1, 2}}, {both, []int32{0}}, {loads, []int32{0}}}, automaton.Endless},
	} {
		p := &automaton.Proc{}
		for _, l := range c.locals {
			made := automaton.Local{Kind: l.kind}
			for _, to := range l.next {
				made.Moves = append(made.Moves, automaton.Move{State: to})
			}
			p.Local = append(p.Local, made)
		}
		buffered := func(s int32) bool { return p.Local[s].Kind == stores }
		require.Equal(t, c.most, p.MostStores(buffered), name)
	}
}
