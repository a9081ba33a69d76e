package affinity

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocateReadsTheTopology(t *testing.T) {
	defer func(was string) { cpuRoot = was }(cpuRoot)
	cpuRoot = t.TempDir()
	require.Equal(t, Place{CPU: 5, Core: 5}, locate(5), "nothing is told")
	dir := filepath.Join(cpuRoot, "cpu5", "topology")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "core_id"), []byte("2\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "physical_package_id"), []byte("1\n"), 0o666))
	require.Equal(t, Place{CPU: 5, Core: 2, Package: 1}, locate(5))
}
