package bakery

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

func newLamport(t *testing.T, n int) *LamportMutex {
	l, err := NewLamport(n, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	return l
}

// Line 2: the number is greater than every number seen; line 7 returns it.
func TestNumberIsOneMoreThanTheLargest(t *testing.T) {
	l := newLamport(t, 3)
	l.number.At(0).Store(4)
	l.number.At(2).Store(7)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.number.At(1).Load() == 8 })
	p.MustWait(t)
	l.number.At(0).Store(0)
	p.MustWait(t)
	l.number.At(2).Store(0)
	p.MustEnter(t)
	p.Leave()
	require.Zero(t, l.number.At(1).Load())
}

// Line 5: no process is passed over while choosing.
func TestWaitsForWhoeverIsChoosing(t *testing.T) {
	l := newLamport(t, 2)
	l.choosing.At(0).Store(true)
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.number.At(1).Load() == 1 && !l.choosing.At(1).Load() })
	p.MustWait(t)
	l.choosing.At(0).Store(false)
	p.MustEnter(t)
}

// Line 6: of two equal numbers the smaller id's is first.
func TestTieGoesToTheSmallerID(t *testing.T) {
	for _, c := range []struct{ me, other int }{{0, 1}, {1, 0}} {
		l := newLamport(t, 2)
		l.choosing.At(c.other).Store(true) // holds the process at line 5
		p := onestep.Enter(l, c.me)
		onestep.Until(t, func() bool { return l.number.At(c.me).Load() == 1 })
		l.number.At(c.other).Store(1)
		l.choosing.At(c.other).Store(false)
		if c.me < c.other {
			p.MustEnter(t)
			continue
		}
		p.MustWait(t)
		l.number.At(c.other).Store(0)
		p.MustEnter(t)
	}
}

// The numbers start again when the bakery has been empty.
func TestNumbersStartAgain(t *testing.T) {
	l := newLamport(t, 4)
	for range 100 {
		for i := range 4 {
			l.Lock(i)
			require.Equal(t, uint64(1), l.number.At(i).Load())
			l.Unlock(i)
		}
	}
}

func ExampleLamportMutex() {
	const n = 3
	lock, err := NewLamport(n, shm.Padded, shm.Sequential)
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
	// Output: 3000
}
