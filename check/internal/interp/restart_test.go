package interp

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRestart learns again after memory was reclassified, and only then.
func TestRestart(t *testing.T) {
	broken := errors.New("broken")
	for _, want := range []error{nil, broken} {
		runs := 0
		got, err := Restart(func() (int, error) {
			if runs++; runs < 3 {
				return 0, fmt.Errorf("process 1: %w", ErrReclassified)
			}
			return runs, want
		})
		require.Equal(t, want, err)
		require.Equal(t, 3, got)
	}
}
