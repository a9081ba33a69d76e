package futex

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
)

// forms returns a word of the system and a word of the model.
func forms() map[string]*Word {
	return map[string]*Word{"system": new(Word), "model": {kernel: new(kernel)}}
}

// TestWait: a process sleeps only while the word has the value, and Wake wakes it. Where
// the system has no futexes, Wait returns at once.
func TestWait(t *testing.T) {
	for name, w := range forms() {
		t.Run(name, func(t *testing.T) {
			if name == "system" && !exists {
				t.Skip(Missing)
			}
			w.Store(1)
			w.Wait(0, 2)
			w.Wake(1) // no process sleeps, and the call leaves nothing behind
			var returned atomic.Bool
			go func() { w.Wait(0, 1); returned.Store(true) }()
			if w.kernel != nil {
				onestep.Until(t, func() bool { return w.kernel.Load() == 1 })
				require.False(t, returned.Load())
			}
			// A word of the system does not show whether a process sleeps on it.
			onestep.Until(t, func() bool { w.Wake(1); return returned.Load() })
		})
	}
}

// TestAllAreWoken: a mutex of three states on a word excludes, and loses no wake-up.
func TestAllAreWoken(t *testing.T) {
	const procs, rounds = 4, 300
	for name, w := range forms() {
		t.Run(name, func(t *testing.T) {
			count, done := 0, make(chan struct{})
			for i := range procs {
				go func() {
					for range rounds {
						for w.Swap(2) != 0 {
							w.Wait(i, 2)
						}
						count++
						if w.Swap(0) == 2 {
							w.Wake(i)
						}
					}
					done <- struct{}{}
				}()
			}
			for range procs {
				<-done
			}
			require.Equal(t, procs*rounds, count)
		})
	}
}

// TestKernel: the model wakes the process with the lowest number, and gives its lock to the
// next process that wants it.
func TestKernel(t *testing.T) {
	k := new(kernel)
	k.Store(0b1101)
	k.wake(1)
	require.Equal(t, uint64(0b1100), k.Load())
	k.wake(1)
	require.Equal(t, uint64(0b1000), k.Load())
	k.enter(2)
	k.Or(wants(0) | wants(1))
	k.leave(2, func(asleep uint64) uint64 { return asleep | 1<<2 })
	require.Equal(t, 0b1100|wants(0)|wants(1)|given(0), k.Load())
	k.leave(0, func(asleep uint64) uint64 { return asleep })
	require.Equal(t, 0b1100|wants(1)|given(1), k.Load())
	k.leave(1, func(asleep uint64) uint64 { return 0 })
	require.Zero(t, k.Load())
	require.Equal(t, MostProcs-1, next(1|1<<(MostProcs-1), 3))
}

// TestKernelBits: each process has three bits of its own in the word.
func TestKernelBits(t *testing.T) {
	used := uint64(0)
	for i := range MostProcs {
		for _, bit := range []uint64{1 << i, wants(i), given(i)} {
			require.Equal(t, 1, bits.OnesCount64(bit), i)
			require.Zero(t, used&bit, i)
			used |= bit
		}
		require.NotZero(t, sleeping&(1<<i))
		require.NotZero(t, wanting&wants(i))
	}
	require.Equal(t, MostProcs, bits.OnesCount64(sleeping))
	require.Equal(t, MostProcs, bits.OnesCount64(wanting))
}

// TestKernelExcludes: a process that wants the lock of the set waits until it gets it.
func TestKernelExcludes(t *testing.T) {
	k := new(kernel)
	same := func(asleep uint64) uint64 { return asleep }
	k.enter(2)
	var entered atomic.Bool
	done := make(chan struct{})
	go func() {
		k.enter(0)
		entered.Store(true)
		k.leave(0, same)
		close(done)
	}()
	onestep.Until(t, func() bool { return k.Load()&wants(0) != 0 })
	for range 1000 {
		runtime.Gosched()
		require.False(t, entered.Load())
	}
	k.leave(2, same)
	<-done
	require.Zero(t, k.Load())
}

// TestCompareAndExchange: the old value comes back, whether or not it was the expected one.
func TestCompareAndExchange(t *testing.T) {
	w := new(atomic.Uint32)
	require.Equal(t, uint32(0), CompareAndExchange(w, 0, 3))
	require.Equal(t, uint32(3), CompareAndExchange(w, 0, 4))
	require.Equal(t, uint32(3), w.Load())
}

// TestModelIsChosenWhenALockIsBuilt: only then has a word a kernel, and are polls few.
func TestModelIsChosenWhenALockIsBuilt(t *testing.T) {
	var before, after Word
	before.Init()
	require.Equal(t, 100, Polls(100))
	UseModel()
	defer func() { useModel = false }()
	after.Init()
	require.Nil(t, before.kernel)
	require.NotNil(t, after.kernel)
	require.Equal(t, 1, Polls(100))
	require.Equal(t, 0, Polls(0))
}
