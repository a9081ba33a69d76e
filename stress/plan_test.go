package stress

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlanRepeats: the same seed gives the same plan, another seed another.
func TestPlanRepeats(t *testing.T) {
	strides := func(seed uint64, n int) []stride {
		p := newPlanner(seed, n, 2)
		var s []stride
		for range 100 {
			s = append(s, p.stride())
		}
		return s
	}
	require.Equal(t, strides(7, 4), strides(7, 4))
	require.NotEqual(t, strides(7, 4), strides(8, 4))
	require.NotEqual(t, strides(7, 4), strides(7, 5))
}

// TestPlanVaries: phases go through every number of processes, from nobody to
// everybody, and never let a process poll without yielding where that keeps
// others from running.
func TestPlanVaries(t *testing.T) {
	const n = 5
	p := newPlanner(1, n, 2)
	seen := make(map[int]int)
	rare, threads := false, false
	for range 500 {
		for _, ph := range p.stride().phases {
			seen[len(ph.active)]++
			rare = rare || ph.rarely > 0
			if len(ph.active) > p.processors {
				threads = threads || ph.threads
				require.Contains(t, []string{"pause-yield", "yield", "turns"}, ph.policy.String())
			}
			require.NotZero(t, ph.passages)
		}
	}
	require.Len(t, seen, n+1)
	require.True(t, rare)
	require.True(t, threads)
}
