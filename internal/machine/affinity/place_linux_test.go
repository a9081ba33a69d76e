package affinity

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lockedToThread reports whether the calling goroutine is locked to its thread.
func lockedToThread() bool {
	stack := make([]byte, 1<<10)
	first, _, _ := strings.Cut(string(stack[:runtime.Stack(stack, false)]), "\n")
	return strings.Contains(first, "locked to thread")
}

// TestUnpinnedGoroutinesMayMove: a goroutine is locked to its thread only while it is pinned.
func TestUnpinnedGoroutinesMayMove(t *testing.T) {
	require.False(t, lockedToThread())
	_, err := Pin(1023)
	require.Error(t, err)
	require.False(t, lockedToThread(), "the processor is not there")

	cpus, err := CPUs()
	require.NoError(t, err)
	unpin, err := Pin(cpus[0])
	require.NoError(t, err)
	require.True(t, lockedToThread())
	unpin()
	require.False(t, lockedToThread())
}

func TestLocateReadsTheTopology(t *testing.T) {
	defer func(was string) { cpuRoot = was }(cpuRoot)
	cpuRoot = t.TempDir()
	require.Equal(t, Place{CPU: 5, Core: 5}, locate(5), "nothing is told")
	dir := filepath.Join(cpuRoot, "cpu5", "topology")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "core_id"), []byte("2\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "physical_package_id"), []byte("1\n"), 0o666))
	require.Equal(t, Place{CPU: 5, Core: 2, Package: 1}, locate(5))
	for _, unknown := range []string{"-1\n", "none\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "physical_package_id"), []byte(unknown), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "core_id"), []byte(unknown), 0o666))
		require.Equal(t, Place{CPU: 5, Core: 5}, locate(5), "the topology says %q", unknown)
	}
}
