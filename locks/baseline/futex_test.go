package baseline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/conform"
	"shmbench/internal/testkit/onestep"
)

func TestFutexConformance(t *testing.T) { conform.Run(t, Futex()) }

func TestRustConformance(t *testing.T) { conform.Run(t, Rust()) }

func TestWebKitConformance(t *testing.T) { conform.Run(t, WebKit()) }

func TestParkingLotConformance(t *testing.T) { conform.Run(t, ParkingLot()) }

func TestMuslConformance(t *testing.T) { conform.Run(t, Musl()) }

// Lines 2 to 4: a process that waits leaves the state contended, and a process that leaves
// then wakes.
func TestFutexStates(t *testing.T) {
	l, err := NewFutex(2)
	require.NoError(t, err)
	l.Lock(0)
	require.Equal(t, locked, l.state.Load())
	p := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.state.Load() == contended })
	p.MustWait(t)
	l.Unlock(0)
	p.MustEnter(t)
	require.Equal(t, contended, l.state.Load(), "it cannot know that nobody else sleeps")
	p.Leave()
	require.Equal(t, unlocked, l.state.Load())
}
