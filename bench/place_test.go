package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The place is that of the loop itself, and not of a wrapper around it.
func TestLoopPlace(t *testing.T) {
	require.Equal(t, "shmbench/bench.(*process).closed", closedLoop().Name())
	require.Regexp(t, `^byte (0|16|32|48) of 64$`, LoopPlace())
}
