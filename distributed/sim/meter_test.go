package sim

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMeanOf(t *testing.T) {
	i := MeanOf([]float64{1, 2, 3, 4, 5})
	require.Equal(t, 3.0, i.Mean)
	require.InDelta(t, 2.7764*math.Sqrt(2.5/5), i.Half, 1e-9)
	require.True(t, math.IsNaN(MeanOf(nil).Mean))
	require.True(t, math.IsNaN(MeanOf([]float64{1}).Half))
	require.InDelta(t, 2.0395, student(31), 1e-4) // the expansion meets the table
	require.InDelta(t, 1.9600, student(1e9), 1e-4)
}

// A 95% interval covers the true mean 95 times in 100: of 2000 intervals of
// exponential variates' means, between 1860 and 1930 (the skew costs a little).
func TestIntervalsCover(t *testing.T) {
	s := newStream(9, forSections)
	covered := 0
	for range 2000 {
		values := make([]float64, 10)
		for k := range values {
			for range 50 {
				values[k] += s.exponential() / 50
			}
		}
		if i := MeanOf(values); i.Lowest() <= 1 && 1 <= i.Highest() {
			covered++
		}
	}
	require.InDelta(t, 1895, covered, 35)
}

func TestBatchesAreFlatAndComplete(t *testing.T) {
	s := newBatches()
	const n = 100_003
	for i := range int64(n) {
		s.open.entries++
		s.open.messages += i
		s.close(i)
	}
	require.LessOrEqual(t, len(s.done), mostBatches)
	require.GreaterOrEqual(t, len(s.done), mostBatches/2)
	i := s.measure(func(b *batch) (float64, bool) { return float64(b.messages) / float64(b.entries), true })
	require.InDelta(t, float64(n-1)/2, i.Mean, 1e-6)
}

func TestNumberJSON(t *testing.T) {
	b, err := json.Marshal([]Number{1.5, Number(math.NaN()), Number(math.Inf(1))})
	require.NoError(t, err)
	require.Equal(t, "[1.5,null,null]", string(b))
}

// A series has the means of fives, in seconds and messages an entry.
func TestSeries(t *testing.T) {
	var s Series
	for k := range 12 {
		s.open.messages += int64(k)
		s.leave(entry{wait: int64(k) * 1e9})
	}
	require.Equal(t, []float64{2, 7}, s.Waiting)
	require.Equal(t, []float64{2, 7}, s.Messages)
}
