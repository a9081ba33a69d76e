package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
)

// Explore accepts the limits of a model, and refuses values beyond them.
func TestLimitsOfAModel(t *testing.T) {
	for _, c := range []struct {
		name    string
		nodes   int
		change  func(m *explore.Model)
		refused string
	}{
		{"nodes", 6, func(*explore.Model) {}, ""},
		{"nodes", 7, func(*explore.Model) {}, "7 nodes: the explorer takes 2 to 6"},
		{"threads", 2, func(m *explore.Model) { m.Threads = 6 }, ""},
		{"threads", 3, func(m *explore.Model) { m.Threads = 5 }, "5 threads on each of 3 nodes: the explorer takes 1 to 12 threads in all"},
		{"threads", 2, func(m *explore.Model) { m.Threads = 0 }, "0 threads on each of 2 nodes: the explorer takes 1 to 12 threads in all"},
		{"present", 3, func(m *explore.Model) { m.Present = []int{1, 1} }, "numbers of threads of 2 nodes, for 3 nodes"},
		{"moves", 2, func(m *explore.Model) { m.Moves = 255 }, ""},
		{"moves", 2, func(m *explore.Model) { m.Moves = 256 }, "256 moves: 0 to 255"},
		{"moves", 2, func(m *explore.Model) { m.Moves = -1 }, "-1 moves: 0 to 255"},
		{"requests", 2, func(m *explore.Model) { m.Requests = 255 }, ""},
		{"requests", 2, func(m *explore.Model) { m.Requests = 256 }, "256 requests a thread: at least 1, at most 255, or 0 forever"},
		{"requests", 2, func(m *explore.Model) { m.Requests = -1 }, "-1 requests a thread: at least 1, at most 255, or 0 forever"},
		{"faults", 2, func(m *explore.Model) { m.Faults.Lose = 255 }, ""},
		{"faults", 2, func(m *explore.Model) { m.Faults.Lose = 256 }, "256 faults of one sort: 0 to 255"},
		{"faults", 2, func(m *explore.Model) { m.Faults.Early = -1 }, "-1 faults of one sort: 0 to 255"},
	} {
		a := find(t, "raymond")
		nodes, err := a.New(distributed.Config{Nodes: c.nodes, Threads: 1})
		require.NoError(t, err)
		m := explore.Model{Nodes: explore.Nodes(nodes), Threads: 1, Requests: 1, MaxStates: 20}
		c.change(&m)
		_, err = explore.Explore(t.Context(), m)
		if c.refused == "" {
			require.NoError(t, err, c.name)
		} else {
			require.EqualError(t, err, c.refused, c.name)
		}
	}
}

// States that differ by a shift of all timestamps count as one. Otherwise the exploration of
// threads that ask forever would not end.
func TestShiftedStatesAreOne(t *testing.T) {
	for name, states := range map[string]int{"ricart-agrawala": 63, "ricart-agrawala-timeout": 150, "maekawa": 64, "central-bully": 77, "naimi-trehel": 16} {
		a := find(t, name)
		m := explore.Model{Threads: 1, Requests: explore.Forever, FIFO: a.Claims.FIFO, MaxStates: 2000}
		if a.Claims.Timely || a.Claims.Timers {
			m.Timing = explore.Timely
		}
		r := mustExplore(t, a, 2, m)
		require.True(t, r.Holds(), name)
		require.Equal(t, states, r.States, name)
	}
}
