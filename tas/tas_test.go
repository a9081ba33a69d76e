package tas

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// The bit is the lock: set while a process is inside, and a process that finds it
// set waits, also if no process has set it.
func TestTheBitIsTheLock(t *testing.T) {
	tas, err := NewTAS(2, shm.Sequential)
	require.NoError(t, err)
	ttas, err := NewTTAS(2, shm.Sequential)
	require.NoError(t, err)
	backoff, err := NewBackoff(2, shm.Sequential)
	require.NoError(t, err)
	for name, lock := range map[string]struct {
		m    shm.Mutex
		busy *atomic.Bool
	}{
		"tas":     {tas, &tas.busy.Bool},
		"ttas":    {ttas, &ttas.busy.Bool},
		"backoff": {backoff, &backoff.busy.Bool},
	} {
		t.Run(name, func(t *testing.T) {
			lock.busy.Store(true)
			p := onestep.Enter(lock.m, 1)
			p.MustWait(t)
			lock.busy.Store(false)
			p.MustEnter(t)
			require.True(t, lock.busy.Load())
			p.Leave()
			require.False(t, lock.busy.Load())
		})
	}
}

func ExampleTASMutex() {
	const n = 4
	lock, err := NewTAS(n, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := 0
	var processes sync.WaitGroup
	for pid := range n {
		processes.Go(func() {
			for range 1000 {
				lock.Lock(pid)
				count++
				lock.Unlock(pid)
			}
		})
	}
	processes.Wait()
	fmt.Println(count)
	// Output: 4000
}
