package watchdog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// scene is what the watchdog sees of some processes.
type scene struct {
	moves []uint64
	at    []Place
}

func (s *scene) watchdog() *Watchdog {
	return New(len(s.at), time.Minute, func(i int) (uint64, Place) { return s.moves[i], s.at[i] })
}

func newScene(at ...Place) *scene { return &scene{make([]uint64, len(at)), at} }

func TestNobodyMovesInTheLock(t *testing.T) {
	d := newScene(Inside, Inside, Away).watchdog()
	for range ticks - 1 {
		d.Tick()
	}
	require.False(t, d.Hung())
	d.Tick()
	require.True(t, d.Hung())
	require.Empty(t, d.Starved(), "starving means that others move")
	require.Equal(t, time.Minute, d.Still(0))
	require.Zero(t, d.Still(2))
}

// A process outside the lock that does not go on is the machine's or the
// test's fault.
func TestASlowMachineIsNotHeldAgainstTheLock(t *testing.T) {
	d := newScene(Inside, Outside).watchdog()
	for range 3 * ticks {
		d.Tick()
	}
	require.False(t, d.Hung())
	require.Zero(t, d.Still(0))
	d = newScene(Away, Away).watchdog()
	for range 3 * ticks {
		d.Tick()
	}
	require.False(t, d.Hung(), "nobody is in the lock")
}

func TestOneStarvesWhileAnotherMoves(t *testing.T) {
	s := newScene(Inside, Inside, Outside)
	d := s.watchdog()
	for range ticks {
		require.Empty(t, d.Starved())
		s.moves[1]++
		d.Tick()
	}
	require.Equal(t, []int{0}, d.Starved())
	require.False(t, d.Hung())
	s.moves[0]++
	s.moves[1]++
	d.Tick()
	require.Empty(t, d.Starved(), "it has moved at last")
}

func TestAMoveEndsTheQuiet(t *testing.T) {
	s := newScene(Inside)
	d := s.watchdog()
	for range ticks - 1 {
		d.Tick()
	}
	s.moves[0]++
	d.Tick()
	require.Zero(t, d.Quiet())
	require.False(t, d.Hung())
}

// Asleep counts the ticks at which no process has moved and all are seen to wait, and
// begins anew behind any other.
func TestAsleep(t *testing.T) {
	s := newScene(Inside, Inside)
	d, wait := s.watchdog(), true
	ticks := func(n int) (asleep time.Duration) {
		for range n {
			d.Tick()
			asleep = d.Asleep(func() bool { return wait })
		}
		return asleep
	}
	require.Equal(t, 3*d.Interval(), ticks(3))
	wait = false
	require.Zero(t, ticks(1), "one runs")
	wait = true
	require.Equal(t, 2*d.Interval(), ticks(2))
	s.moves[1]++
	require.Zero(t, ticks(1), "one has moved")
	require.Equal(t, 4*d.Interval(), ticks(4))
}
