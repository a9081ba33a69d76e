package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/regiontest"
	"shmbench/internal/sample"
	"shmbench/queue"
	"shmbench/recoverable"
	"shmbench/shm"
	"shmbench/spin"
)

// freeing is a lock whose Recover frees it, whichever process has it, and then sleeps, since
// on a busy machine no other process runs in the moment before the next access.
type freeing struct{ recoverable.RTASMutex }

func (l *freeing) Recover(i int) shm.Outcome {
	if l.RTASMutex.Recover(i) == shm.Inside {
		l.Unlock(i)
		time.Sleep(2 * time.Millisecond)
	}
	return shm.Enter
}

// forgetful is a lock in which a process that crashed in its critical section waits for itself.
type forgetful struct{ recoverable.RTASMutex }

func (l *forgetful) Recover(i int) shm.Outcome {
	if l.RTASMutex.Recover(i) == shm.Inside {
		spin.Until(func() bool { return false })
	}
	return shm.Enter
}

// slow is a lock whose Recover takes ten milliseconds.
type slow struct{ recoverable.RTASMutex }

func (l *slow) Recover(i int) shm.Outcome {
	time.Sleep(10 * time.Millisecond)
	return l.RTASMutex.Recover(i)
}

// TestKilled: a sample of a lock whose processes are killed has the times of recovery. A
// lock whose Recover lets another process in, one that hangs, and one that does not recover
// are errors.
func TestKilled(t *testing.T) {
	sample.NeedsAll(t)
	regiontest.Need(t)
	measure := func(a shm.Algorithm) (Sample, error) {
		return Measure(t.Context(), BetweenProcesses(a), Workload{Procs: 2, CS: 2 * time.Microsecond, Kills: 20}, Options{Duration: time.Second})
	}
	of := func(name string, lock shm.Mutex) shm.Algorithm {
		return shm.Algorithm{Name: name, MinProcs: 1, MaxProcs: 4, New: func(int) (shm.Mutex, error) { return lock, nil }}
	}
	s, err := measure(recoverable.RTAS())
	require.NoError(t, err)
	for _, unit := range []string{nsPerOp, rate, killCount, restartP50, recoverP50, recoverMax} {
		v, has := s.Get(unit)
		require.True(t, has && v > 0, "%s: %v", unit, v)
	}
	_, timed := s.Get(p50)
	require.False(t, timed)
	kills, _ := s.Get(killCount)
	require.GreaterOrEqual(t, kills, 1.0)
	s, err = measure(of("test/slow", new(slow)))
	require.NoError(t, err)
	took, _ := s.Get(recoverP50)
	require.GreaterOrEqual(t, took, 1e7)
	_, err = measure(of("test/freeing", new(freeing)))
	require.ErrorAs(t, err, new(*BrokenError))
	defer func(usual time.Duration) { patience = usual }(patience)
	patience = 2 * time.Second
	_, err = measure(of("test/forgetful", new(forgetful)))
	require.ErrorAs(t, err, new(*StuckError))
	_, err = measure(queue.MCS(shm.Padded, shm.Sequential))
	require.ErrorContains(t, err, "queue/mcs-processes has no Recover")
	_, err = Measure(t.Context(), recoverable.RTAS(), Workload{Procs: 2, Kills: 1}, Options{})
	require.ErrorContains(t, err, "measure it between processes")
	_, err = Measure(t.Context(), BetweenProcesses(recoverable.RTAS()), Workload{Procs: 2, Kills: 1}, Options{Pin: PinCores})
	require.ErrorContains(t, err, "measure them without pinning")
}
