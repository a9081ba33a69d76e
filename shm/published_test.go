package shm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// TestPublishedRMR: a bound agrees with a claim of local spinning, and no bound with none.
func TestPublishedRMR(t *testing.T) {
	caches := shm.LocalSpin{CC: true}
	for _, c := range []struct {
		published shm.PublishedRMR
		text      string
		agrees    bool
	}{
		{shm.PublishedRMR{CC: "O(1)", DSM: shm.RMRUnbounded}, "O(1) with coherent caches, unbounded with distributed memory", true},
		{shm.PublishedRMR{CC: "O(log n)"}, "O(log n) with coherent caches", true},
		{shm.PublishedRMR{CC: "O(1)", DSM: "O(1)"}, "O(1) with coherent caches and with distributed memory", false},
		{shm.PublishedRMR{DSM: "O(1)"}, "O(1) with distributed memory", false},
		{shm.PublishedRMR{CC: shm.RMRUnbounded}, "unbounded with coherent caches", false},
		{shm.PublishedRMR{None: "the source is a program"}, "none: the source is a program", true},
	} {
		require.Equal(t, c.text, c.published.String())
		require.Equal(t, c.agrees, c.published.Agrees(caches) == nil, c.text)
	}
	require.EqualError(t, shm.PublishedRMR{DSM: "O(1)"}.Agrees(caches),
		"the published bound with distributed memory is O(1), and the specification claims local spinning: false")
}
