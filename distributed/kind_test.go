package distributed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTally(t *testing.T) {
	var tally Tally
	require.Zero(t, tally.Total())
	require.Equal(t, map[string]int64{}, tally.ByName())
	tally[Request], tally[Stale] = 3, 4
	require.Equal(t, int64(7), tally.Total())
	require.Equal(t, map[string]int64{"request": 3, "stale": 4}, tally.ByName())
}
