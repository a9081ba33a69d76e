//go:build linux && cgo && pthread

package robust_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench/forks/robust"
	"shmbench/shm"
	"shmbench/shm/region"
)

// TestPthread: the mutex of the C library works where Put copies it.
func TestPthread(t *testing.T) {
	specs := robust.Specs()
	require.Len(t, specs, 2)
	lock, err := specs[1].New(2)
	require.NoError(t, err)
	r, err := region.New("", 1<<16)
	require.NoError(t, err)
	defer r.Close()
	moved, err := region.Put(r, &lock)
	require.NoError(t, err)
	for range 10 {
		(*moved).Lock(1)
		(*moved).Unlock(1)
	}
	require.NoError(t, region.Verify[shm.Mutex](r, moved))
}
