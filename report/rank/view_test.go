package rank

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlaceOnAnAxis: the places of an axis go up with the logarithm of a value. An end of an
// interval that is not known is at an end of the axis.
func TestPlaceOnAnAxis(t *testing.T) {
	wide, single := axis{10, 1000, 41}, axis{10, 10, 41}
	for _, c := range []struct {
		axis  axis
		value float64
		place int
	}{
		{wide, 10, 0}, {wide, 100, 20}, {wide, 1000, 40}, {wide, 99, 20}, {wide, 90, 19},
		{wide, 0, 0}, {wide, -5, 0}, {wide, math.Inf(-1), 0}, {wide, math.Inf(1), 40},
		{single, 10, 0}, {single, math.Inf(-1), 0}, {single, math.Inf(1), 0},
	} {
		require.Equal(t, c.place, c.axis.place(c.value), "%v on %v", c.value, c.axis)
	}
}
