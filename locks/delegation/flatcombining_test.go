package delegation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
)

// TestCombinerExecutesForAWaitingProcess: a process that finds the lock taken puts its record
// into the list, once. The combiner executes its requests while the lock is taken.
func TestCombinerExecutesForAWaitingProcess(t *testing.T) {
	l := NewFlatCombining(2, 1)
	require.True(t, l.lock.CompareAndSwap(false, true))
	for k := range uint64(3) {
		result := make(chan uint64)
		go func() { result <- l.Execute(1, func() uint64 { return k + 10 }) }()
		onestep.Until(t, func() bool { return l.head.Load() == 2 && l.record.At(1).pending.Load() })
		l.combine()
		require.Equal(t, k+10, <-result)
		require.Zero(t, l.record.At(1).next, "it is the only one in the list")
		require.True(t, l.lock.Load())
	}
	l.lock.Store(false)
	require.Equal(t, uint64(7), l.Execute(0, func() uint64 { return 7 }))
	require.False(t, l.lock.Load())
	require.Equal(t, uint32(1), l.head.Load())
	require.Equal(t, uint32(2), l.record.At(0).next)
}
