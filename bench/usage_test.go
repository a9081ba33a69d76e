package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What is used between two moments is what was used at the second less what was
// at the first.
func TestUsageIsADifference(t *testing.T) {
	before := usage{cpu: 7 * time.Second, cpuKnown: true, counters: []uint64{10, 20, 30}}
	after := usage{cpu: 9 * time.Second, cpuKnown: true, counters: []uint64{11, 22, 33}}
	require.Equal(t, usage{cpu: 2 * time.Second, cpuKnown: true, counters: []uint64{1, 2, 3}}, after.since(before))
}
