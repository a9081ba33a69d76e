package stress

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/affinity"
	"shmbench/internal/oracle"
	"shmbench/shm"
)

// looks notes on which processors its process may run.
type looks struct{ cpus []int }

func (l *looks) Lock(int)   { l.cpus, _ = affinity.CPUs() }
func (l *looks) Unlock(int) {}

// A process runs on the processor that its order names, also the first, and on
// any if it names none.
func TestAProcessIsPinnedAsOrdered(t *testing.T) {
	cpus, err := affinity.CPUs()
	if err != nil {
		t.Skip(err)
	}
	for cpu, may := range map[int][]int{cpus[0]: cpus[:1], -1: cpus} {
		lock := new(looks)
		r := newRunner(shm.Algorithm{}, Options{Procs: []int{1}}, 1)
		r.n, r.lock, r.section = 1, lock, new(oracle.Section)
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread()
			r.obey(r.procs[0], order{phase: phase{active: []int{0}, passages: 1}, cpu: cpu})
		}()
		<-done
		require.Equal(t, may, lock.cpus)
	}
}
