package filelock

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTry: a second open file does not get the lock before the first gives it up, by
// Unlock or by being closed.
func TestTry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		require.NoError(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	one, other := open(), open()
	require.NoError(t, Try(one))
	require.ErrorIs(t, Try(other), ErrHeld)
	_, err := one.WriteString("text")
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err, "a locked file can be read")
	require.Equal(t, "text", string(text))
	require.NoError(t, Unlock(one))
	require.NoError(t, Try(other))
	require.NoError(t, other.Close())
	require.NoError(t, Try(one))
}
