package deadline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/deadline"
)

func TestHalf(t *testing.T) {
	least := deadline.Half(t)
	end, ok := t.Deadline()
	if !ok {
		require.Equal(t, time.Hour, least)
		return
	}
	require.Greater(t, least, time.Duration(0))
	require.Less(t, least, time.Until(end))
}
