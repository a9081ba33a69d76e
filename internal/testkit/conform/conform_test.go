package conform

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tas"
)

// TestNumbersOfProcesses: a lock is tried alone, with few processes and with many, as far as its
// specification allows.
func TestNumbersOfProcesses(t *testing.T) {
	for _, c := range []struct {
		a     shm.Algorithm
		tried []int
	}{
		{tas.TAS(shm.Sequential), []int{1, 2, 3, 8, 24}},
		{peterson.Peterson(shm.Padded, shm.Sequential), []int{1, 2}},
	} {
		t.Run(c.a.Name, func(t *testing.T) {
			var mu sync.Mutex
			tried := map[int]bool{}
			a := c.a
			a.New = func(n int) (shm.Mutex, error) {
				m, err := c.a.New(n)
				mu.Lock()
				defer mu.Unlock()
				tried[n] = err == nil
				return m, err
			}
			Run(t, a)
			for _, n := range c.tried {
				require.True(t, tried[n], n)
			}
		})
	}
}
