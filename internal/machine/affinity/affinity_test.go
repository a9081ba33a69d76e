package affinity_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/affinity"
)

func cpus(t *testing.T) []int {
	t.Helper()
	cpus, err := affinity.CPUs()
	if runtime.GOOS != "linux" {
		require.ErrorIs(t, err, affinity.ErrUnsupported)
		t.Skip("no pinning here")
	}
	require.NoError(t, err)
	return cpus
}

func TestPinBindsAndUnpinRestores(t *testing.T) {
	before := cpus(t)
	require.NotEmpty(t, before)
	require.True(t, slices.IsSorted(before))
	last := before[len(before)-1]

	unpin, err := affinity.Pin(last)
	require.NoError(t, err)
	require.Equal(t, []int{last}, cpus(t), "on the pinned thread")
	unpin()

	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.Equal(t, before, cpus(t))
}

func TestPinRefusesAProcessorThatIsNotThere(t *testing.T) {
	cpus(t)
	_, err := affinity.Pin(1023)
	require.ErrorContains(t, err, "cannot pin to processor 1023")
}

func TestEnough(t *testing.T) {
	n := len(cpus(t))
	require.NoError(t, affinity.Enough(n))
	require.ErrorContains(t, affinity.Enough(n+1), "cannot pin")
}
