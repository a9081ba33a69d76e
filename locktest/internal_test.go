package locktest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/oracle"
	"shmbench/queue"
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
