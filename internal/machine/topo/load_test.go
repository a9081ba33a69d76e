package topo

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLoadIsWhatOthersUsed(t *testing.T) {
	start := time.Now()
	before := Times{at: start, busy: 10 * time.Second, stolen: time.Second, own: 4 * time.Second, cpus: 2, known: true}
	after := Times{at: start.Add(10 * time.Second), busy: 22 * time.Second, stolen: 2 * time.Second, own: 14 * time.Second, cpus: 2, known: true}
	load, ok := after.Since(before)
	require.True(t, ok)
	require.InDelta(t, 0.10, load.Others, 1e-9, "2 of 20 seconds")
	require.InDelta(t, 0.05, load.Stolen, 1e-9)
	_, ok = Times{}.Since(before)
	require.False(t, ok)
}
