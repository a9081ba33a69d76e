package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBatchesJoin: where neighbors are joined, no entry is lost, and batches follow each other.
func TestBatchesJoin(t *testing.T) {
	s := newBatches()
	const entries = 4*mostBatches + 2
	for now := range int64(entries) {
		s.open.entries++
		s.open.messages += now
		s.close(now)
	}
	require.Equal(t, int64(8), s.size)
	require.Len(t, s.done, entries/8)
	next, messages := int64(0), int64(0)
	for _, b := range s.done {
		require.Equal(t, s.size, b.entries)
		require.Equal(t, next, b.from)
		next, messages = b.to, messages+b.messages
	}
	closed := int64(len(s.done)) * s.size
	require.Equal(t, closed*(closed-1)/2, messages)
	require.Equal(t, int64(entries)-closed, s.open.entries)
}
