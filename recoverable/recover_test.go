package recoverable

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// locks are those of the family, for two processes.
func locks(t *testing.T) map[string]shm.Recoverable {
	all := map[string]shm.Recoverable{}
	for _, spec := range []shm.Algorithm{RTAS(), RPeterson(), RPTree(), RYA(), RBakery(), RBakeryInside(), RTicket(), RCLH(), RMCS(), RJJJ()} {
		m, err := spec.New(2)
		require.NoError(t, err)
		all[spec.Name] = m.(shm.Recoverable)
	}
	return all
}

// TestRecoverWithoutACrash: Recover may be called at the start of any passage.
func TestRecoverWithoutACrash(t *testing.T) {
	for name, m := range locks(t) {
		for range 3 {
			require.Equal(t, shm.Enter, m.Recover(1), name)
			require.True(t, shm.Recover(m, 1), name)
			m.Unlock(1)
		}
	}
}

// TestReentry: a process that crashed in its critical section finds itself there, as often
// as it crashes, and the other process does not.
func TestReentry(t *testing.T) {
	for name, m := range locks(t) {
		m.Lock(0)
		for range 3 {
			require.NotEqual(t, shm.Inside, m.Recover(1), name)
			require.True(t, shm.Recover(m, 0), name)
		}
		m.Unlock(0)
		require.Equal(t, shm.Enter, m.Recover(0), name)
		require.True(t, shm.Recover(m, 1), name)
		m.Unlock(1)
	}
}

func ExampleRTASMutex() {
	lock, err := NewRTAS(2)
	if err != nil {
		panic(err)
	}
	lock.Lock(0)
	// Process 0 crashes here, and comes back.
	fmt.Println(lock.Recover(1), lock.Recover(0))
	lock.Unlock(0)
	// Output: enter inside
}
