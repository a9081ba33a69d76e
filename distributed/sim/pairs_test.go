package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of pairs keeps half of its slots free, grows where the messages
// under way need it, and forgets those that have arrived.
func TestPairsKeepHalfTheirSlotsFree(t *testing.T) {
	p := newPairs()
	for k := range int32(1000) {
		require.Equal(t, int64(10), p.inOrder(0, 10, 0, k+1))
		require.LessOrEqual(t, 2*p.used, len(p.slots))
	}
	require.Equal(t, 1000, p.used)
	require.Len(t, p.slots, 2048, "as long as half is enough it does not grow")
	for k := range int32(1000) {
		require.Equal(t, int64(10), p.inOrder(0, 5, 0, k+1), "nothing is forgotten before it arrives")
	}
	require.Equal(t, 1000, p.used)

	// The next purge finds nothing under way, and there is room again.
	for k := range int32(100) {
		require.Equal(t, int64(20), p.inOrder(11, 20, 1, k+2))
	}
	require.Equal(t, 100, p.used)
	require.Len(t, p.slots, 2048)
}

// At a quarter the table stays as it is, above it doubles.
func TestPairsGrowAboveAQuarter(t *testing.T) {
	for live, size := range map[int]int{16: 64, 17: 128} {
		p := newPairs()
		for k := range 32 {
			at := int64(1)
			if k < live {
				at = 9
			}
			p.inOrder(0, at, 0, int32(k+1))
		}
		p.inOrder(5, 9, 1, 2)
		require.Len(t, p.slots, size, "%d under way", live)
		require.Equal(t, live+1, p.used)
	}
}
