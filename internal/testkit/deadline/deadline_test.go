package deadline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
)

func TestHalf(t *testing.T) {
	end, ok := t.Deadline()
	most := time.Until(end) / 2
	half := deadline.Half(t)
	if !ok {
		require.Equal(t, time.Hour, half)
		return
	}
	require.LessOrEqual(t, half, most)
	require.GreaterOrEqual(t, half, time.Until(end)/2)
}
