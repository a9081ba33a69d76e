package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Random faults accept the limits of their probabilities and times, and refuse values beyond
// them.
func TestLimitsOfRandomFaults(t *testing.T) {
	for _, c := range []struct {
		faults  RandomFaults
		refused string
	}{
		{RandomFaults{}, ""},
		{RandomFaults{Loss: 1, Duplication: 1}, ""},
		{RandomFaults{Crash: LongestTime, Repair: LongestTime, Cut: LongestTime, Heal: LongestTime}, ""},
		{RandomFaults{Loss: -0.1}, "a probability of -0.1 for losing or copying a message: want 0 to 1"},
		{RandomFaults{Duplication: 1.5}, "a probability of 1.5 for losing or copying a message: want 0 to 1"},
		{RandomFaults{Crash: -time.Second}, "a mean time of -1s between faults: want 0 (never) to 720h0m0s"},
		{RandomFaults{Repair: LongestTime + 1}, "a mean time of 720h0m0.000000001s between faults: want 0 (never) to 720h0m0s"},
		{RandomFaults{Cut: -1}, "a mean time of -1ns between faults: want 0 (never) to 720h0m0s"},
		{RandomFaults{Heal: LongestTime + 1}, "a mean time of 720h0m0.000000001s between faults: want 0 (never) to 720h0m0s"},
	} {
		err := c.faults.check()
		if c.refused == "" {
			require.NoError(t, err, "%+v", c.faults)
		} else {
			require.EqualError(t, err, c.refused)
		}
	}
}
