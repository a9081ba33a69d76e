package automaton_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// TestLasting: a process lasts in its remainder section, where it waits, and where it goes around. Steps that enter do not
// count, so a passage is no cycle.
func TestLasting(t *testing.T) {
	moves := func(to ...int32) (all []automaton.Move) {
		for _, s := range to {
			all = append(all, automaton.Move{State: s})
		}
		return all
	}
	p := &automaton.Proc{Local: []automaton.Local{
		{Section: interp.Remainder, Moves: moves(1)},
		{Section: interp.Entry, Moves: moves(1, 2)}, // waits
		{Section: interp.Entry, Moves: moves(3, 4)}, // goes around with the next
		{Section: interp.Entry, Moves: moves(2)},
		{Section: interp.Entry, Moves: moves(5)}, // enters
		{Section: interp.Critical, Moves: moves(6)},
		{Section: interp.Exit, Moves: moves(0)},
	}}
	require.Equal(t, []bool{true, true, true, true, false, false, false}, p.Lasting())
}
