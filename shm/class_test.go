package shm_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

func TestClassesAreNamed(t *testing.T) {
	for class, name := range map[shm.Class]string{
		shm.ReadWrite: "read/write", shm.TestAndSet: "test-and-set", shm.Swap: "swap", shm.CompareAndSwap: "compare-and-swap",
		shm.FetchAndAdd: "fetch-and-add", shm.FetchAndOr: "fetch-and-or", shm.Futex: "futex", shm.Opaque: "opaque",
		shm.Swap | shm.CompareAndSwap: "swap+compare-and-swap", shm.FetchAndAdd | shm.TestAndSet: "test-and-set+fetch-and-add",
	} {
		require.Equal(t, name, class.String())
		text, err := json.Marshal(class)
		require.NoError(t, err)
		require.Equal(t, `"`+name+`"`, string(text))
	}
}

// A machine has no model of the operating system.
func TestSleeps(t *testing.T) {
	require.True(t, (shm.Swap | shm.Futex).Sleeps())
	require.True(t, shm.Opaque.Sleeps())
	require.False(t, (shm.Swap | shm.FetchAndOr).Sleeps())
}

// Two lines of 64 bytes move together on some machines, and lines have 128
// bytes on others.
func TestLinesAreWideEnough(t *testing.T) {
	require.Equal(t, 128, shm.LineBytes)
}
