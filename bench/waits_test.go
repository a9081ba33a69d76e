package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAWaitIsCutWhereTheWindowEnds(t *testing.T) {
	end := edge{at: 100, passage: 10}
	w := wait{called: 40, entered: 90, before: 3, passage: 8, released: 85}
	got, ok := w.until(end)
	require.True(t, ok)
	require.Equal(t, w, got, "it was over before the end")

	w = wait{called: 40, entered: 500, before: 3, passage: 80, released: 450}
	got, ok = w.until(end)
	require.True(t, ok)
	require.Equal(t, wait{called: 40, entered: 100, before: 3, passage: 10}, got, "it was under way")

	_, ok = wait{called: 101, entered: 500}.until(end)
	require.False(t, ok, "it began after the end")
	got, _ = wait{called: 90, entered: 500, before: 12, passage: 80}.until(end)
	require.Equal(t, got.before, got.passage, "never less than nothing")
}

func TestWaitsAreAdded(t *testing.T) {
	a := newWaits()
	a.add(wait{called: 100, entered: 150, before: 7, passage: 9, released: 140}, 0, whole)
	require.Equal(t, int64(50), a.latency.Max())
	require.Equal(t, uint64(2), a.bypassed)
	require.Equal(t, int64(10), a.handoff.Max())

	// From when it was due, also if the call came later.
	a.add(wait{called: 100, entered: 150}, 30, whole)
	require.Equal(t, int64(120), a.latency.Max())
	require.Equal(t, int64(1), a.handoff.TotalCount(), "nobody said when it left")
	a.add(wait{called: 100, entered: 150, released: 90}, 0, whole)
	require.Equal(t, int64(1), a.handoff.TotalCount(), "it did not wait when the last one left")

	b := newWaits()
	b.add(wait{called: 1, entered: 1001, before: 0, passage: 5}, 0, whole)
	b.merge(a)
	require.Equal(t, int64(4), b.latency.TotalCount())
	require.Equal(t, uint64(5), b.bypassed)
	require.Equal(t, int64(1), b.handoff.TotalCount())
}
