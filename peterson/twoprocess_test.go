package peterson

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 3 and 6: process 0 shows itself, and waits without stepping back.
func TestAsymmetricProcess0KeepsItsWant(t *testing.T) {
	l, err := NewAsymmetric(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.want[1].Store(1)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.want[0].Load() == 1 })
	p.MustWait(t)
	require.Equal(t, uint32(1), l.want[0].Load())
	l.want[1].Store(0)
	p.MustEnter(t)
}

// Lines 1 and 2: process 1 steps back as long as process 0 wants to enter.
func TestAsymmetricProcess1GivesWay(t *testing.T) {
	l, err := NewAsymmetric(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.want[0].Store(1)
	l.want[1].Store(1) // as after line 3; line 1 must take it back
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.want[1].Load() == 0 })
	p.MustWait(t)
	require.Zero(t, l.want[1].Load())
	l.want[0].Store(0)
	p.MustEnter(t)
	require.Equal(t, uint32(1), l.want[1].Load())
}

// Lines 4 and 5: without the priority, a process steps back.
func TestPriorityWithoutItStepsBack(t *testing.T) {
	l, err := NewPriority(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.want[0].Store(1) // and priority is 0's
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	require.Zero(t, l.want[1].Load())
	l.want[0].Store(0)
	p.MustEnter(t)
}

// Line 6: with the priority, a process stands its ground.
func TestPriorityWithItStands(t *testing.T) {
	l, err := NewPriority(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.want[1].Store(1)
	p := onestep.Enter(l, 0) // priority is 0's from the start
	onestep.Until(t, func() bool { return l.want[0].Load() == 1 })
	p.MustWait(t)
	require.Equal(t, uint32(1), l.want[0].Load())
	l.want[1].Store(0)
	p.MustEnter(t)
}

// Line 7: a process that leaves hands the priority to the other.
func TestPriorityGoesToTheOther(t *testing.T) {
	l, err := NewPriority(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	for _, i := range []int{0, 1, 1, 0, 0} {
		l.Lock(i)
		l.Unlock(i)
		require.Equal(t, uint32(1-i), l.priority.Load())
		require.Zero(t, l.want[i].Load())
	}
}

// Line 3: of two interested processes, the last to write turn waits.
func TestPetersonLastToWriteTurnWaits(t *testing.T) {
	for i := range 2 {
		l, err := NewPeterson(2, shm.Packed, shm.Sequential)
		require.NoError(t, err)
		l.q[1-i].Store(1)
		l.turn.Store(uint32(1 - i))
		p := onestep.Enter(l, i)
		onestep.Until(t, func() bool { return l.q[i].Load() == 1 && l.turn.Load() == uint32(i) })
		p.MustWait(t)
		l.turn.Store(uint32(1 - i)) // the other's line 2
		p.MustEnter(t)
		p.Leave()
		require.Zero(t, l.q[i].Load())
	}
}

// Line 3: a process that is alone does not wait, whatever turn says.
func TestPetersonAloneEnters(t *testing.T) {
	l, err := NewPeterson(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	for _, i := range []int{0, 0, 1, 1, 0} {
		l.Lock(i)
		l.Unlock(i)
	}
}

func ExamplePetersonMutex() {
	lock, err := NewPeterson(2, shm.Packed, shm.Sequential)
	if err != nil {
		fmt.Println(err)
		return
	}
	count := 0
	var processes sync.WaitGroup
	for pid := range 2 {
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
	// Output: 2000
}
