package foreign

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNameOfNoProgram: a program that does not answer has crashed. A caller that gives up is
// told so instead.
func TestNameOfNoProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "none")
	_, err := NameIn(t.Context(), program, "mylock")
	require.ErrorContains(t, err, "its program has crashed: ")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = NameIn(ctx, program, "mylock")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "crashed")
}
