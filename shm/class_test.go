package shm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

func TestClassesAreNamed(t *testing.T) {
	for class, name := range map[shm.Class]string{
		shm.ReadWrite: "read/write", shm.TestAndSet: "test-and-set", shm.Swap: "swap", shm.CompareAndSwap: "compare-and-swap",
		shm.FetchAndAdd: "fetch-and-add", shm.FetchAndOr: "fetch-and-or", shm.Opaque: "opaque",
		shm.Swap | shm.CompareAndSwap: "swap+compare-and-swap", shm.FetchAndAdd | shm.TestAndSet: "test-and-set+fetch-and-add",
	} {
		require.Equal(t, name, class.String())
		text, err := class.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, `"`+name+`"`, string(text))
	}
}

// Two lines of 64 bytes move together on some machines, and lines have 128
// bytes on others.
func TestLinesAreWideEnough(t *testing.T) {
	require.Equal(t, 128, shm.LineBytes)
}
