package topo

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesAreRead(t *testing.T) {
	defer func(stat, dir string) { statFile, cpuDir = stat, dir }(statFile, cpuDir)
	dir := t.TempDir()
	statFile, cpuDir = filepath.Join(dir, "stat"), filepath.Join(dir, "cpu0")
	require.False(t, ReadTimes().known)
	write(t, statFile, "cpu  100 20 30 4000 50 6 7 8 0 0\ncpu0 50 1 1 1 1 1 1 1 0 0\ncpu1 50 1 1 1 1 1 1 1 0 0\nintr 5\n")
	got := ReadTimes()
	require.True(t, got.known)
	require.Equal(t, 2, got.cpus)
	require.Equal(t, 1630*time.Millisecond, got.busy)
	require.Equal(t, 80*time.Millisecond, got.stolen)
	require.Positive(t, got.own)

	slowest, fastest := MHz()
	require.Zero(t, slowest+fastest)
	write(t, filepath.Join(dir, "cpu0/cpufreq/scaling_cur_freq"), "2500000\n")
	write(t, filepath.Join(dir, "cpu1/cpufreq/scaling_cur_freq"), "3000000\n")
	write(t, filepath.Join(dir, "cpu2/cpufreq/scaling_cur_freq"), "2000000\n")
	slowest, fastest = MHz()
	require.Equal(t, []float64{2000, 3000}, []float64{slowest, fastest})
}
