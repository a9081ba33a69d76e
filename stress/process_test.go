package stress

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/affinity"
	"shmbench/locktest/oracle"
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

// twoModes counts the passages of one process in each mode.
type twoModes struct{ exclusive, shared int }

func (m *twoModes) Lock(int)    { m.exclusive++ }
func (m *twoModes) Unlock(int)  {}
func (m *twoModes) RLock(int)   { m.shared++ }
func (m *twoModes) RUnlock(int) {}

// TestAProcessKeepsItsMode: in a phase that keeps modes, all passages of a process are in one
// mode, and it can be either. In other mixed phases it draws a mode for each passage, and
// without a mixture all are exclusive.
func TestAProcessKeepsItsMode(t *testing.T) {
	for _, c := range []struct {
		mixed int
		kept  bool
		want  []bool // whether there are runs with exclusive passages alone, shared ones alone, and both
	}{
		{2, true, []bool{true, true, false}}, {2, false, []bool{false, false, true}}, {0, false, []bool{true, false, false}}, {0, true, []bool{true, false, false}},
	} {
		seen := make([]bool, 3)
		for seed := range uint64(20) {
			lock := new(twoModes)
			r := newRunner(shm.Algorithm{}, Options{Procs: []int{1}}, 1)
			r.n, r.lock, r.section, r.modes = 1, lock, new(oracle.Section), []shm.Mode{shm.Exclusive, shm.Shared}
			r.obey(r.procs[0], order{phase: phase{active: []int{0}, passages: 40, mixed: c.mixed, kept: c.kept}, seed: seed, cpu: -1})
			require.Equal(t, 40, lock.exclusive+lock.shared)
			switch {
			case lock.shared == 0:
				seen[0] = true
			case lock.exclusive == 0:
				seen[1] = true
			default:
				seen[2] = true
			}
		}
		require.Equal(t, c.want, seen, "mixed %d, kept %v", c.mixed, c.kept)
	}
}

// TestProcessorsOfARunner: the processes have as many processors of their own as the run counts,
// of those that the program may use, and none where there are fewer.
func TestProcessorsOfARunner(t *testing.T) {
	cpus, err := affinity.CPUs()
	if err != nil {
		t.Skip(err)
	}
	for n := 1; n <= len(cpus); n++ {
		r := newRunner(shm.Algorithm{}, Options{Procs: []int{2, 3}}, n)
		require.Equal(t, cpus[:n], r.cpus)
		require.Equal(t, cpus, r.allowed)
		require.Len(t, r.procs, 3)
	}
	r := newRunner(shm.Algorithm{}, Options{Procs: []int{2}}, len(cpus)+1)
	require.Empty(t, r.cpus)
	require.Empty(t, r.allowed)
}
