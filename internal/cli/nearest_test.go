package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	words := []string{"list", "run", "report"}
	require.Equal(t, "list", Nearest("lst", words))
	require.Equal(t, "report", Nearest("rapport", words))
	require.Equal(t, "list", Nearest("lsit", words), "two letters in the wrong order")
	require.Empty(t, Nearest("lsti", words), "two mistakes in four letters")
	require.Equal(t, "run", Nearest("run", words))
	require.Empty(t, Nearest("explore", words))
	require.Empty(t, Nearest("", words))
}
