package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	words := []string{"list", "run", "report"}
	require.Equal(t, "list", Nearest("lst", words))
	require.Equal(t, "report", Nearest("rapport", words))
	require.Equal(t, "run", Nearest("run", words))
	require.Empty(t, Nearest("explore", words))
	require.Empty(t, Nearest("", words))
}
