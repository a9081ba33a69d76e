package explore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
)

// counting is a system of many actors. Each actor counts a number up by one.
type counting struct{ to, actors int }

func (c counting) Words() int         { return 1 }
func (c counting) Actors() int        { return c.actors }
func (c counting) Initial(s []uint64) { s[0] = 0 }

func (c counting) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	if s[0] == uint64(c.to) {
		return 0, 0
	}
	for i := range out {
		out[i] = s[0] + 1
	}
	return 1<<c.actors - 1, 0
}

// TestBytes: the memory of an exploration includes the edges if and only if they are
// kept.
func TestBytes(t *testing.T) {
	run := func(keep bool) *explore.Graph {
		return explore.Run(t.Context(), counting{40_000, 63}, explore.Options{Workers: 1, Keep: keep, MaxBytes: 6 << 20})
	}
	g := run(false)
	require.True(t, g.Exhausted)
	require.Equal(t, 40_001, g.States)
	require.EqualValues(t, 40_000*63, g.Edges)
	g = run(true)
	require.False(t, g.Exhausted, "the edges of a state take 252 bytes")
	require.Less(t, g.States, 40_000)
}

// TestLarge: who explores is told before the tables are large, and not if they never
// are.
func TestLarge(t *testing.T) {
	explored := func(bytes int64) int {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return explore.Run(ctx, counting{40_000, 63}, explore.Options{Workers: 1, Keep: true, LargeBytes: bytes, Large: cancel}).States
	}
	require.Equal(t, 40_001, explored(1<<30))
	six := explored(6 << 20)
	require.Less(t, six, 40_000, "the edges of a state take 252 bytes")
	require.Less(t, explored(3<<20), six)
}
