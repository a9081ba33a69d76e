package bench

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/baseline"
)

// BenchmarkLoop measures the parts of the measured loop with the null lock. The loop word calls
// Lock and Unlock, stores one word and looks at the phase. The loop check has the self-checking
// critical section instead of the store. The loops closed and touching are those of samples.
func BenchmarkLoop(b *testing.B) {
	for _, loop := range []struct {
		name string
		make func(t *trial, n uint64) (made uint64)
	}{{"word", (*trial).wordLoop}, {"check", (*trial).checkLoop}, {"closed", (*trial).closedLoop}, {"touching", (*trial).touchingLoop}} {
		b.Run("loop="+loop.name, func(b *testing.B) {
			t := loopTrial(b)
			b.ResetTimer()
			if made := loop.make(t, uint64(b.N)); made != uint64(b.N) {
				b.Fatalf("%d passages instead of %d", made, b.N)
			}
		})
	}
}

// loopTrial is a trial of the null lock in its counted window.
func loopTrial(tb testing.TB) *trial {
	t, err := newTrial(baseline.Null, Workload{Procs: 1})
	require.NoError(tb, err)
	t.section.edges[warmingUp].at, t.section.edges[counting].at = 1, 1
	t.phase.Store(counting)
	return t
}

func (t *trial) wordLoop(n uint64) (made uint64) {
	lock, section, pid, current := t.lock, t.section, t.procs[0].pid, &t.phase
	for made < n && current.Load() == counting {
		lock.Lock(pid)
		section.touched = uint64(pid)
		lock.Unlock(pid)
		made++
	}
	return made
}

func (t *trial) checkLoop(n uint64) (made uint64) {
	lock, section, pid, current := t.lock, t.section, t.procs[0].pid, &t.phase
	for made < n && current.Load() == counting {
		lock.Lock(pid)
		section.enter()
		section.leave()
		lock.Unlock(pid)
		made++
	}
	return made
}

func (t *trial) closedLoop(n uint64) uint64 {
	t.section.last = n
	t.procs[0].closed(t, counting)
	return t.procs[0].passages[counting]
}

// touchingLoop ends by the lock, because touching has no quota.
func (t *trial) touchingLoop(n uint64) uint64 {
	t.lock = &ending{t, int(n)}
	t.procs[0].touching(t, counting)
	return t.procs[0].passages[counting]
}
