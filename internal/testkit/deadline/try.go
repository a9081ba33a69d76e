package deadline

import (
	"math"
	"testing"
)

// falseAlarm bounds the probability with which Try fails a test although nothing is wrong.
const falseAlarm = 1e-6

// Try calls try until it returns true. It is for an event that a try shows by chance. The
// argument least is a lower bound of the probability that one try succeeds, on a busy machine
// too. Try fails the test after so many vain tries that they occur with a probability of at
// most one in a million: 6 tries for 0.9, 20 for 0.5, 132 for 0.1.
func Try(t testing.TB, least float64, try func() bool) {
	t.Helper()
	most := int(math.Ceil(math.Log(falseAlarm) / math.Log1p(-least)))
	for range most {
		if try() {
			return
		}
	}
	t.Fatalf("%d tries failed: at least one in %.3g succeeds where nothing is wrong", most, 1/least)
}
