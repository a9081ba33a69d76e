package cas

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// The register names the process that is inside.
func TestTheRegisterNamesTheOwner(t *testing.T) {
	plain, err := NewCAS(3, shm.Sequential)
	require.NoError(t, err)
	testFirst, err := NewTestFirst(3, shm.Sequential)
	require.NoError(t, err)
	for name, lock := range map[string]struct {
		m     shm.Mutex
		owner *atomic.Uint32
	}{
		"cas":       {plain, &plain.owner.Uint32},
		"testfirst": {testFirst, &testFirst.owner.Uint32},
	} {
		t.Run(name, func(t *testing.T) {
			lock.m.Lock(0)
			require.Equal(t, uint32(1), lock.owner.Load())
			p := onestep.Enter(lock.m, 2)
			p.MustWait(t)
			require.Equal(t, uint32(1), lock.owner.Load(), "a failed attempt changes nothing")
			lock.m.Unlock(0)
			p.MustEnter(t)
			require.Equal(t, uint32(3), lock.owner.Load())
			p.Leave()
			require.Equal(t, uint32(nobody), lock.owner.Load())
		})
	}
}

func ExampleCASMutex() {
	lock, err := NewCAS(2, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	for pid := range 2 {
		lock.Lock(pid)
		fmt.Println("process", pid)
		lock.Unlock(pid)
	}
	// Output:
	// process 0
	// process 1
}
