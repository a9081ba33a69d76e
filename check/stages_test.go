package check

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/source"
	"shmbench/shm"
)

// TestModesAsked: the specification bounds the numbers of processes whose passages are checked in
// all modes, unless the user asks for a number.
func TestModesAsked(t *testing.T) {
	mixes := func(bound, last int, asked ...int) bool {
		l := &source.Lock{Spec: &shm.Algorithm{Explored: shm.Explored{Mixed: bound}}}
		run := &runner{o: Options{N: asked}}
		return run.mixes(l, []*Report{{N: last, has: []shm.Mode{shm.Exclusive, shm.Try}}})
	}
	require.True(t, mixes(2, 2))
	require.False(t, mixes(2, 3))
	require.True(t, mixes(0, 3), "there is no bound")
	require.True(t, mixes(2, 3, 3))
}

// TestLap: each stage has the time since the previous one.
func TestLap(t *testing.T) {
	w := watch{last: time.Now().Add(-time.Hour)}
	w.lap(&w.Learning)
	w.lap(&w.Analysing)
	require.GreaterOrEqual(t, w.Learning, 3600.0)
	require.GreaterOrEqual(t, w.Analysing, 0.0)
	require.Less(t, w.Analysing, 3600.0)
	w.explored(&w.Learning, 30*time.Minute)
	require.InDelta(t, 1800, w.Exploring, 1e-9)
	require.GreaterOrEqual(t, w.Learning, 1800.0)
	require.Less(t, w.Learning, 3600.0)
}

// TestCrashingLockThatAllocates: the report of a lock that is not modeled where processes crash says why.
func TestCrashingLockThatAllocates(t *testing.T) {
	c := &checking{runner: &runner{}, b: &source.Builder{Lock: &source.Lock{Name: "x"}}, n: 2}
	r, err := c.unlearned(t.Context(), nil, fmt.Errorf("learning: %w", errCrashingAllocates))
	require.NoError(t, err)
	require.Contains(t, r.Refused, "allocates memory that processes share")
}
