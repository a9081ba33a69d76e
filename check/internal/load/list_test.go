package load

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoModule: outside every module, the answer says what to do.
func TestNoModule(t *testing.T) {
	_, err := Load(t.Context(), t.TempDir(), ".")
	require.ErrorContains(t, err, "no go.mod here or in a folder above")
}
