package load

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoModule: outside every module, the answer says what to do.
func TestNoModule(t *testing.T) {
	_, err := Load(t.Context(), t.TempDir(), ".")
	require.ErrorContains(t, err, "no go.mod here or in a folder above")
}

// TestFirstLine: a heading is left out, and what a line announces belongs to it.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "exit status 1",
		"\n# mylock\n":                  "exit status 1",
		"# mylock\nlock.go:3: no\nmore": "lock.go:3: no",
		"it imports:\n\tanother\nmore":  "it imports: another",
		"it imports:\n":                 "it imports: ",
	} {
		require.Equal(t, want, firstLine(text, errors.New("exit status 1")), "%q", text)
	}
}
