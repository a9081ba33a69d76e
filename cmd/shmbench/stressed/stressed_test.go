package stressed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/numa"
	"shmbench/locks/queue"
	"shmbench/shm"
)

// TestFind: a lock is found by its name, with its processes where they were said to be.
func TestFind(t *testing.T) {
	for where, kind := range map[string]shm.Mutex{"": new(numa.HCLHMutex), "sockets=2,cores=2": new(numa.HCLHMutex), "sockets=1,cores=4": new(queue.CLHMutex)} {
		a, err := find("numa/hclh", where)
		require.NoError(t, err)
		m, err := a.New(2)
		require.NoError(t, err)
		require.IsType(t, kind, m, where)
	}
	_, err := find("numa/hclh", "two")
	require.ErrorContains(t, err, "is not a level")
	_, err = find("numa/none", "machine")
	require.Error(t, err)
}
