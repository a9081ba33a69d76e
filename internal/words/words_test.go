package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCounted(t *testing.T) {
	require.Equal(t, "0 processes", Counted(0, "process", "processes"))
	require.Equal(t, "1 process", Counted(1, "process", "processes"))
	require.Equal(t, "21 processes", Counted(21, "process", "processes"))
}
