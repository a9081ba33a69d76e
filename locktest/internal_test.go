package locktest

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/goroutine"
	"shmbench/locks/queue"
	"shmbench/locktest/oracle"
	"shmbench/shm"
	"shmbench/tas"
)

// A passage more or less than the processes made is an overlap, also if no process
// noticed one.
func TestPassagesAreCounted(t *testing.T) {
	s, err := newSuite(t.Context(), tas.TAS(shm.Sequential), Options{Passages: 20})
	require.NoError(t, err)
	for _, before := range []int{0, 1} {
		c, err := s.newCrew(2)
		require.NoError(t, err)
		var section oracle.Section
		for range before {
			require.NoError(t, section.Pass(0, func() {}))
		}
		err = c.exclude([]int{0, 1}, &section)
		if before == 0 {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, "counts: the processes made 20 passages, the state remembers 21")
		}
	}
}

// A wait that shows needs no turns on the only processor; on a busy machine it
// may not show in time.
func TestAWaitThatShowsIsSeen(t *testing.T) {
	for range 20 {
		s, err := newSuite(t.Context(), queue.Ticket(shm.Packed, shm.Sequential), Options{Trials: 1})
		require.NoError(t, err)
		require.NoError(t, order(s, 2))
		if !s.pollsUnseen {
			return
		}
	}
	t.Error("it was never seen that the ticket lock waits")
}

// TestRefusedNumbers: New refuses the numbers of processes next to those that the specification
// allows, on both sides, and zero and less.
func TestRefusedNumbers(t *testing.T) {
	right := queue.Ticket(shm.Packed, shm.Sequential)
	for _, wrong := range []int{-1, 0, 1, 2, 3, 4, 5, 6} {
		a := right
		a.MinProcs, a.MaxProcs = 3, 5
		a.New = func(n int) (shm.Mutex, error) {
			if n == wrong {
				return right.New(2)
			}
			if err := shm.CheckProcs(a.Name, n, a.MinProcs, a.MaxProcs); err != nil {
				return nil, err
			}
			return right.New(n)
		}
		switch wrong {
		case -1, 0, 2, 6:
			require.ErrorContains(t, refuses(a), "builds a lock, though the specification allows 3 to 5", "%d", wrong)
		default:
			require.NoError(t, refuses(a), "%d", wrong)
		}
	}
}

// TestElsewhere: a function runs on another goroutine, and its panic comes back.
func TestElsewhere(t *testing.T) {
	here, there := goroutine.ID(), goroutine.ID()
	elsewhere(func() { there = goroutine.ID() })
	require.NotEqual(t, here, there)
	require.PanicsWithValue(t, "there", func() { elsewhere(func() { panic("there") }) })
}

// TestAGate: a process that waits at a gate is idle, and not after the gate. It is told whether
// the crew goes on.
func TestAGate(t *testing.T) {
	for _, stops := range []bool{false, true} {
		c, p, gs := new(crew), new(process), newGates(2)
		c.stop.Store(stops)
		goesOn := make(chan bool)
		go func() { goesOn <- gs[1].wait(c, p) }()
		for !p.idle.Load() {
			runtime.Gosched()
		}
		gs.openAll()
		gs[1].open() // again
		require.Equal(t, !stops, <-goesOn)
		require.False(t, p.idle.Load())
	}
}
