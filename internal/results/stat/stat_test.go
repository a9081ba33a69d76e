package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHolm(t *testing.T) {
	require.Empty(t, Holm(nil))
	require.Equal(t, []float64{0.03}, Holm([]float64{0.03}))
	// Sorted: 0.005*4, 0.01*3, 0.03*2, 0.04*1; never less than the one before.
	require.InDeltaSlice(t, []float64{0.03, 0.06, 0.06, 0.02}, Holm([]float64{0.01, 0.04, 0.03, 0.005}), 1e-12)
	require.Equal(t, []float64{1, 1}, Holm([]float64{0.9, 0.8}), "a probability is at most 1")
}

func TestSummaryIsTheMedianAndLeavesItsArgument(t *testing.T) {
	values := []float64{9, 1, 5, 4, 2, 3, 7}
	s := Summary(values)
	require.Equal(t, 4.0, s.Center)
	require.Equal(t, 1.0, s.Lo)
	require.Equal(t, 9.0, s.Hi)
	require.Equal(t, 9.0, values[0])
}

func TestDiffer(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5}, []float64{11, 12, 13, 14, 15}
	require.Less(t, Differ(low, high), 0.01)
	require.Greater(t, Differ(low, []float64{1.5, 2.5, 3.5, 4.5, 0.5}), 0.5)
	require.Equal(t, 1.0, Differ([]float64{1, 1}, []float64{1, 1}))
	require.Equal(t, 1.0, Differ(nil, low))
}

func TestLeastP(t *testing.T) {
	require.InDelta(t, Differ([]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9}), LeastP(5, 4), 1e-12)
	require.InDelta(t, 2.0/12870, LeastP(8, 8), 1e-12)
	require.Equal(t, 1.0, LeastP(1, 1))
}

// With a sample less than enough, even samples that do not overlap differ by chance.
func TestEnough(t *testing.T) {
	for comparisons, enough := range map[int]int{1: 5, 2: 6, 4: 6, 5: 7, 243: 9, 244: 10} {
		require.Equal(t, enough, Enough(comparisons), comparisons)
		differ := func(n int) float64 { return Differ(sequence(1, 1, n), sequence(100, 1, n)) * float64(comparisons) }
		require.Less(t, differ(enough), Significant)
		require.GreaterOrEqual(t, differ(enough-1), Significant)
	}
}

func TestJain(t *testing.T) {
	require.Equal(t, 1.0, Jain([]uint64{5, 5, 5}), "equal shares")
	require.Equal(t, 0.25, Jain([]uint64{7, 0, 0, 0}), "one has all")
	require.InDelta(t, 0.9, Jain([]int64{1, 2}), 1e-9)
	require.Equal(t, 1.0, Jain([]int64{0, 0}), "nobody has anything")
}

func TestLeastForInterval(t *testing.T) {
	for n := 1; n < LeastForInterval; n++ {
		s := Summary(sequence(1, 1, n))
		require.True(t, math.IsInf(s.Lo, -1) && math.IsInf(s.Hi, 1), "%d samples: [%v, %v]", n, s.Lo, s.Hi)
	}
	require.False(t, math.IsInf(Summary(sequence(1, 1, LeastForInterval)).Lo, -1))
}
