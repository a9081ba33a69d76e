package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func owners(runs ...int) (log []uint16) {
	for i := 0; i < len(runs); i += 2 {
		for range runs[i+1] {
			log = append(log, uint16(runs[i]))
		}
	}
	return log
}

func TestStudyOfAFairLog(t *testing.T) {
	var log []uint16
	for range 100 {
		log = append(log, 0, 1, 2)
	}
	require.Equal(t, fairness{jainShort: 1, longestRun: 1, reacquire: 3}, study(log, 3))
}

func TestStudyOfALogWithRuns(t *testing.T) {
	// Fair over the whole, unfair over short windows.
	f := study(owners(0, 40, 1, 40), 2)
	require.Equal(t, fairness{jainShort: 0.5, longestRun: 40, reacquire: 1}, f)
	require.Equal(t, 3, study(owners(0, 1, 1, 3, 0, 2), 2).longestRun)
	require.Equal(t, 2, study(owners(0, 2, 1, 1), 2).longestRun)
}

func TestStudyOfShortLogs(t *testing.T) {
	require.Equal(t, fairness{jainShort: 1}, study(nil, 2))
	require.Equal(t, fairness{jainShort: 0.5, longestRun: 1}, study(owners(1, 1), 2))
}

func TestReacquireIsTheMedian(t *testing.T) {
	// Process 0 comes back after 1, 1 and 4 passages, process 1 after 1 and 1.
	require.Equal(t, 1.0, study(owners(0, 3, 1, 3, 0, 1), 2).reacquire)
	// After 2 and 4.
	require.Equal(t, 3.0, study([]uint16{0, 1, 0, 2, 3, 4, 0}, 5).reacquire)
}
