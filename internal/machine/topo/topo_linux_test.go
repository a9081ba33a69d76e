package topo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

func TestLinuxMachines(t *testing.T) {
	defer func(c, d string) { cpuinfo, cpuDir = c, d }(cpuinfo, cpuDir)
	dir := t.TempDir()
	cpuinfo, cpuDir = filepath.Join(dir, "cpuinfo"), dir
	require.Empty(t, cpuModel())
	require.Empty(t, caches())
	require.Empty(t, governor())

	write(t, cpuinfo, "processor\t: 0\nmodel name\t: Fast One @ 3 GHz\nmodel name\t: second\n")
	require.Equal(t, "Fast One @ 3 GHz", cpuModel())
	write(t, cpuinfo, "model name\t: Fast One\ncpu MHz\t\t: 2400.5\n")
	require.Equal(t, "Fast One @ 2400.5MHz", cpuModel())
	write(t, cpuinfo, "Model Name\t: Fast One 3GHz\nCPU MHz\t\t: 2400.5\n")
	require.Equal(t, "Fast One 3GHz", cpuModel())
	write(t, cpuinfo, "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n")
	require.Equal(t, "implementer 0x41 part 0xd0c", cpuModel())

	for file, text := range map[string]string{
		"cache/index0/level": "1", "cache/index0/type": "Data", "cache/index0/size": "32K",
		"cache/index0/coherency_line_size": "64",
		"cache/index1/level":               "2", "cache/index1/type": "Unified", "cache/index1/size": "1024K",
		"cache/index1/coherency_line_size": "64",
		"cpufreq/scaling_governor":         "performance\n",
	} {
		write(t, filepath.Join(dir, file), text)
	}
	require.Equal(t, "L1 data 32K, L2 unified 1024K, lines of 64", caches())
	require.Equal(t, "performance", governor())
}
