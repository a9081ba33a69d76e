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

// TestFold: a line is as long as it may be, and a word that is longer has a line of its own.
func TestFold(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one", 1, []string{"one"}},
		{"a bc  de\nf", 4, []string{"a bc", "de f"}},
		{"a bc de f", 3, []string{"a", "bc", "de", "f"}},
		{"longer a b", 3, []string{"longer", "a b"}},
		{"a longer b", 3, []string{"a", "longer", "b"}},
		{"ää öö ü", 5, []string{"ää öö", "ü"}},
	} {
		require.Equal(t, c.want, Fold(c.text, c.width), "%q in %d", c.text, c.width)
	}
}
