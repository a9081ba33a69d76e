package explore_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
)

// grid is two counters up to side. Each actor moves one counter. The distance of a state
// is the sum of its counters.
type grid struct{ side uint64 }

func (g grid) Words() int         { return 2 }
func (g grid) Actors() int        { return 2 }
func (g grid) Initial(s []uint64) { clear(s) }
func sum(s []uint64) (sum uint64) { return s[0] + s[1] }
func multiple(s []uint64) bool    { return s[0] > 0 && s[0]%7 == 0 }
func first(state, to []uint64)    { to[0] = state[0] }
func firstWord() explore.Image    { return explore.Image{Words: 1, Of: first} }
func (g grid) run() *explore.Graph {
	return explore.Run(context.Background(), g, explore.Options{Workers: 2})
}

func (g grid) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	for a := range 2 {
		to := out[a*2 : a*2+2]
		copy(to, s)
		if to[a]++; to[a] <= g.side {
			enabled |= 1 << a
		}
	}
	return enabled, 0
}

// TestNearest finds what a look at every state finds, and asks about an image
// once a worker.
func TestNearest(t *testing.T) {
	g := grid{200}.run()
	for _, workers := range []int{1, 3} {
		var asked atomic.Int64
		nearest, err := g.Nearest(t.Context(), workers, firstWord(), func(image []uint64) (uint64, error) {
			asked.Add(1)
			var answer uint64
			if multiple(image) {
				answer |= 1
			}
			if image[0] >= 150 {
				answer |= 1 << 63
			}
			return answer, nil
		})
		require.NoError(t, err)
		require.LessOrEqual(t, asked.Load(), int64(201*workers))
		require.Len(t, nearest, 2)
		require.Equal(t, []uint64{7, 0}, g.State(nearest[0]))
		require.Equal(t, []uint64{150, 0}, g.State(nearest[63]))
	}
}

// TestNearestIsTheFirst: of several that are as near it is one and the same.
func TestNearestIsTheFirst(t *testing.T) {
	for range 5 {
		g := grid{300}.run()
		whole := explore.Image{Words: 2, Of: func(state, to []uint64) { copy(to, state) }}
		nearest, err := g.Nearest(t.Context(), 2, whole, func(image []uint64) (uint64, error) {
			if sum(image) >= 290 {
				return 1, nil
			}
			return 0, nil
		})
		require.NoError(t, err)
		require.Equal(t, []uint64{290, 0}, slices.Clone(g.State(nearest[0])))
	}
}

// TestNearestEnds with the error of a question, and when its caller has gone.
func TestNearestEnds(t *testing.T) {
	g := grid{100}.run()
	wrong := errors.New("wrong question")
	_, err := g.Nearest(t.Context(), 2, firstWord(), func(image []uint64) (uint64, error) {
		if image[0] == 50 {
			return 0, wrong
		}
		return 0, nil
	})
	require.ErrorIs(t, err, wrong)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = g.Nearest(ctx, 2, firstWord(), func([]uint64) (uint64, error) { return 0, nil })
	require.ErrorIs(t, err, context.Canceled)
}
