package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCollectSeldom: a value of GOGC in the environment stays, and so does -mem.
func TestCollectSeldom(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	before := limit()
	for _, c := range []struct {
		gogc    string
		percent int
	}{{"", seldom}, {"70", 70}} {
		t.Setenv("GOGC", c.gogc)
		restore := collectSeldom(32 << 30)
		require.Equal(t, c.percent, percent(), "GOGC=%s", c.gogc)
		require.EqualValues(t, int64(31)<<30, limit())
		restore()
		require.Equal(t, 70, percent(), "GOGC=%s, afterwards", c.gogc)
		require.Equal(t, before, limit())
	}
	defer collectSeldom(1 << 20)()
	require.EqualValues(t, leastLimit, limit())
}
