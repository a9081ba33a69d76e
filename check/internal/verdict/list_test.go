package verdict

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestList: commas are between all words except the last two, which "and" joins.
func TestList(t *testing.T) {
	for want, words := range map[string][]string{
		"a":             {"a"},
		"a and b":       {"a", "b"},
		"a, b and c":    {"a", "b", "c"},
		"a, b, c and d": {"a", "b", "c", "d"},
	} {
		require.Equal(t, want, List(words))
	}
}
