package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuote(t *testing.T) {
	require.Equal(t, "a-b/c=1,2", Quote("a-b/c=1,2"))
	require.Equal(t, "'a|b'", Quote("a|b"))
	require.Equal(t, `'it'\''s'`, Quote("it's"))
	require.Equal(t, "''", Quote(""))
}
