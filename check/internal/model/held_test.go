package model_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// TestFinishedProcessesHoldNothing: what a process has allocated and will not come
// back to makes no difference between states.
func TestFinishedProcessesHoldNothing(t *testing.T) {
	m, err := builder(t, "nodes", "NewLeaves")(t.Context(), 2)
	require.NoError(t, err)
	for {
		l, err := automaton.New(m, 1<<13, 0)
		require.NoError(t, err)
		var raw *explore.Raw
		var g *explore.Graph
		for again := true; again; again = raw.Grown {
			raw = explore.NewRaw(l, explore.RawOptions{Passages: 1, MaxValues: 100})
			g = explore.Run(t.Context(), raw, explore.Options{Keep: true})
		}
		if errors.Is(raw.Err, interp.ErrReclassified) {
			continue
		}
		require.NoError(t, raw.Err)
		require.True(t, g.Exhausted)
		finished := 0
		for id := range uint32(g.States) {
			if next := g.Successors(id); next[0] == explore.None && next[1] == explore.None {
				finished++
			}
		}
		require.Equal(t, 1, finished, "what is written in the nodes is gone with them")
		return
	}
}
