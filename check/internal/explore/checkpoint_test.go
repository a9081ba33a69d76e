package explore_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
)

// stopping is a dial with a name, that ends a context after some steps.
type stopping struct {
	dial
	name string
	left *int
	stop context.CancelFunc
}

func (s stopping) Digest() string { return s.name }

func (s stopping) Expand(from, out []uint64) (enabled uint64, bad explore.Bad) {
	if *s.left--; *s.left == 0 {
		s.stop()
	}
	return s.dial.Expand(from, out)
}

// keptRun explores a dial of a name for at most so many steps, with a checkpoint, and returns the steps that it took.
func keptRun(t *testing.T, file, name string, steps int) (*explore.Graph, int) {
	t.Helper()
	c, err := explore.OpenCheckpoint(file, "dials")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	left := steps
	g := explore.Run(ctx, stopping{dial{3, 40}, name, &left, stop}, explore.Options{Workers: 1, Checkpoint: c})
	require.NoError(t, c.Close())
	return g, steps - left
}

func sameGraph(t *testing.T, want, got *explore.Graph) {
	t.Helper()
	require.Equal(t, []any{want.States, want.Edges, want.Depth, want.Exhausted, want.Levels()}, []any{got.States, got.Edges, got.Depth, got.Exhausted, got.Levels()})
	require.True(t, maps.Equal(want.Bad, got.Bad), "%v and %v", want.Bad, got.Bad)
	for id := range uint32(want.States) {
		require.Equal(t, want.State(id), got.State(id))
	}
}

// TestCheckpoint: an exploration is interrupted again and again, and its file is cut off. It finds what one
// without an interruption finds, and repeats no more than a chunk.
func TestCheckpoint(t *testing.T) {
	whole := explore.Run(t.Context(), dial{3, 40}, explore.Options{})
	file := filepath.Join(t.TempDir(), "checkpoint")
	last := 0
	for i := 0; ; i++ {
		g, steps := keptRun(t, file, "a dial", 20_000)
		require.GreaterOrEqual(t, g.States, last)
		require.LessOrEqual(t, steps, 40_000)
		last = g.States
		if g.Exhausted {
			require.Greater(t, i, 1)
			sameGraph(t, whole, g)
			break
		}
		require.Less(t, i, 20)
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.NoError(t, os.Truncate(file, info.Size()-int64(i%2*3))) // as if the system had crashed
	}
	again, steps := keptRun(t, file, "a dial", 20_000)
	sameGraph(t, whole, again)
	require.Zero(t, steps)
}

// TestCheckpointOfALaterSystem: a program that explores two systems in turn continues the second one.
func TestCheckpointOfALaterSystem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	run := func(steps int) (*explore.Graph, int) {
		c, err := explore.OpenCheckpoint(file, "dials")
		require.NoError(t, err)
		defer func() { require.NoError(t, c.Close()) }()
		explore.Run(t.Context(), stopping{dial{2, 5}, "small", new(int), nil}, explore.Options{Checkpoint: c})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		left := steps
		g := explore.Run(ctx, stopping{dial{3, 40}, "large", &left, stop}, explore.Options{Workers: 1, Checkpoint: c})
		return g, steps - left
	}
	g, _ := run(20_000)
	require.False(t, g.Exhausted)
	g, steps := run(1_000_000)
	require.True(t, g.Exhausted)
	require.Less(t, steps, g.States-10_000)
	sameGraph(t, explore.Run(t.Context(), dial{3, 40}, explore.Options{}), g)
}

// TestCheckpointRefuses: another exploration, another first system, and another file.
func TestCheckpointRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	keptRun(t, file, "a dial", 20_000)
	_, err := explore.OpenCheckpoint(file, "locks")
	require.ErrorContains(t, err, "is the checkpoint of dials, and this is locks")
	c, err := explore.OpenCheckpoint(file, "dials")
	require.NoError(t, err)
	g := explore.Run(t.Context(), stopping{dial{3, 40}, "another", new(int), nil}, explore.Options{Checkpoint: c})
	require.False(t, g.Exhausted)
	require.ErrorContains(t, c.Close(), "was made with another lock or by another version")
	require.NoError(t, os.WriteFile(file, []byte("# Notes\n"), 0o666))
	_, err = explore.OpenCheckpoint(file, "dials")
	require.ErrorContains(t, err, "is no checkpoint of this version")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "# Notes\n", string(text))
}
