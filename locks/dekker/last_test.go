package dekker

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// forms are the two forms of the RW-safe lock.
func forms(t *testing.T, test func(t *testing.T, l *RWSafeMutex)) {
	for name, create := range map[string]func(int, shm.Layout, shm.Stores) (*RWSafeMutex, error){"A": NewRWSafe, "B": NewRWSafeB} {
		t.Run(name, func(t *testing.T) {
			l, err := create(2, shm.Packed, shm.Sequential)
			require.NoError(t, err)
			test(t, l)
		})
	}
}

// Line 3: who was not in last keeps its bit up.
func TestRWSafeWithPrecedence(t *testing.T) {
	forms(t, func(t *testing.T, l *RWSafeMutex) {
		l.cc[0].Store(1) // and process 0 was in last
		p := onestep.Enter(l, 1)
		onestep.Until(t, func() bool { return l.cc[1].Load() == 1 })
		p.MustWait(t)
		require.Equal(t, uint32(1), l.cc[1].Load())
		l.cc[0].Store(0)
		p.MustEnter(t)
		p.Leave()
		require.Equal(t, uint32(1), l.last.Load())
	})
}

// Line 6: a process that has given way comes forward when the other's bit goes down, though
// it was in last, and also when it was not.
func TestRWSafeTwoWaysOut(t *testing.T) {
	forms(t, func(t *testing.T, l *RWSafeMutex) {
		l.cc[1].Store(1)
		p := onestep.Enter(l, 0)
		p.MustWait(t)
		onestep.Until(t, func() bool { return l.cc[0].Load() == 0 })
		l.cc[1].Store(0)
		p.MustEnter(t)
		p.Leave()

		l.cc[1].Store(1)
		p = onestep.Enter(l, 0)
		p.MustWait(t)
		onestep.Until(t, func() bool { return l.cc[0].Load() == 0 })
		l.last.Store(1)
		onestep.Until(t, func() bool { return l.cc[0].Load() == 1 })
		p.MustWait(t)
		l.cc[1].Store(0)
		p.MustEnter(t)
	})
}

// Line 4: in the second form a process with precedence asks each time which process was in last.
func TestRWSafeBAsksAgain(t *testing.T) {
	l, err := NewRWSafeB(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.cc[1].Store(1)
	l.last.Store(1)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.cc[0].Load() == 1 })
	l.last.Store(0)
	onestep.Until(t, func() bool { return l.cc[0].Load() == 0 })
	l.cc[1].Store(0)
	p.MustEnter(t)
}

// Lines 4 to 7: who was in last steps back until the other has been in, and then
// waits for it to leave.
func TestDoranThomasStepsBackOnce(t *testing.T) {
	l, err := NewDoranThomas(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.want[1].Store(1)
	p := onestep.Enter(l, 0)
	p.MustWait(t)
	onestep.Until(t, func() bool { return l.want[0].Load() == 0 })
	l.want[1].Store(0)
	p.MustWait(t)
	l.want[1].Store(1)
	l.last.Store(1)
	onestep.Until(t, func() bool { return l.want[0].Load() == 1 })
	l.last.Store(0)
	p.MustWait(t)
	require.Equal(t, uint32(1), l.want[0].Load(), "it does not step back again")
	l.want[1].Store(0)
	p.MustEnter(t)
}
