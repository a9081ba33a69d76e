package stress

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// TestPlanRepeats: the same seed gives the same plan, another seed another.
func TestPlanRepeats(t *testing.T) {
	strides := func(seed uint64, n ...int) []stride {
		p := newPlanner(seed, n, 2, true)
		var s []stride
		for range 100 {
			s = append(s, p.stride())
		}
		return s
	}
	require.Equal(t, strides(7, 4), strides(7, 4))
	require.NotEqual(t, strides(7, 4), strides(8, 4))
	require.NotEqual(t, strides(7, 4), strides(7, 5))
}

// TestPlanVaries: phases go through every world and every number of processes,
// from none to all, and never let a process poll without yielding where
// that keeps others from running.
func TestPlanVaries(t *testing.T) {
	p := newPlanner(1, []int{2, 5}, 2, true)
	strides, seen, worlds := map[int]int{}, map[int]int{}, map[world]int{}
	rare := false
	for range 500 {
		s := p.stride()
		strides[s.n]++
		for _, ph := range s.phases {
			worlds[ph.world]++
			if s.n == 5 {
				seen[len(ph.active)]++
			}
			rare = rare || ph.rarely > 0
			for _, id := range ph.active {
				require.Less(t, id, s.n)
			}
			if len(ph.active) > p.processors && ph.world != interrupted {
				require.Contains(t, []string{"pause-yield", "yield", "turns"}, ph.policy.String())
			}
			require.Equal(t, ph.world == unfair || ph.goal > 0, ph.passages == 0, "other phases have a number of passages")
		}
	}
	require.Len(t, strides, 2)
	require.InDelta(t, 250, strides[2], 60)
	require.Len(t, seen, 6)
	require.Len(t, worlds, 4)
	require.Equal(t, 500, worlds[unfair], "every life of a lock ends with it")
	require.Greater(t, worlds[interrupted], worlds[onThreads]/4)
	require.True(t, rare)
}

// TestPlanHasLongLives: a lock is used for longer than counters of 16 bits last,
// of one process's passages too, and soon.
func TestPlanHasLongLives(t *testing.T) {
	p := newPlanner(3, []int{4}, 2, false)
	var long []int
	for i := range 40 {
		for _, ph := range p.stride().phases {
			require.NotEqual(t, unfair, ph.world, "nothing is claimed of starvation")
			if ph.passages > 1<<16 {
				long = append(long, i)
				require.Len(t, ph.active, 2)
				require.Equal(t, longLimit, ph.limit())
			} else if ph.goal == 0 {
				require.Equal(t, phaseLimit, ph.limit())
			}
		}
	}
	require.Equal(t, []int{1, 17, 33}, long)
	require.Equal(t, unfairLimit, phase{world: unfair}.limit())
}

// TestPlanBeginsWithContention: the first phase of a run lasts until passages
// have been contended, by as many processes as there are processors.
func TestPlanBeginsWithContention(t *testing.T) {
	p := newPlanner(3, []int{4}, 2, true)
	for stride := range 3 {
		for i, ph := range p.stride().phases {
			require.Equal(t, stride == 0 && i == 0, ph.goal > 0)
			if ph.goal > 0 {
				require.Len(t, ph.active, 2)
				require.Equal(t, onThreads, ph.world)
			}
		}
	}
	for _, ph := range newPlanner(3, []int{1}, 2, true).stride().phases {
		require.Zero(t, ph.goal, "a single process contends with no other")
	}
}

// TestPlanEndsUnfairly: the last phases of a stride judge what the lock claims of starvation. All
// processes take part and let others run only from inside, and for a claim about mixed modes
// each keeps its mode. A single process cannot starve.
func TestPlanEndsUnfairly(t *testing.T) {
	for _, c := range []struct {
		starvation, mixed bool
		procs             int
		want              []phase
	}{
		{false, false, 3, nil},
		{true, false, 3, []phase{{world: unfair, yield: 1, policy: spin.Yielding}}},
		{false, true, 3, []phase{{world: unfair, yield: 1, policy: spin.Yielding, mixed: 2, kept: true}}},
		{true, true, 3, []phase{{world: unfair, yield: 1, policy: spin.Yielding}, {world: unfair, yield: 1, policy: spin.Yielding, mixed: 2, kept: true}}},
		{true, true, 1, nil},
	} {
		p := newPlanner(5, []int{c.procs}, 2, c.starvation)
		p.mixed = c.mixed
		for range 20 {
			var last []phase
			for _, ph := range p.stride().phases {
				if ph.world == unfair {
					require.ElementsMatch(t, []int{0, 1, 2}, ph.active)
					ph.active = nil
					last = append(last, ph)
				} else {
					require.Empty(t, last, "they come last")
				}
			}
			require.Equal(t, c.want, last)
		}
	}
}

// Without a choice a lock is tried for two, for a few that are no power of two,
// and for many, as far as its specification goes.
func TestNumbersOfProcesses(t *testing.T) {
	for most, procs := range map[int][]int{100: {2, 4, 5, 8}, 5: {2, 4, 5}, 2: {2}, 1: {1}} {
		var o Options
		require.NoError(t, o.Complete(shm.Algorithm{MinProcs: 1, MaxProcs: most, New: func(int) (shm.Mutex, error) { return nil, nil }}))
		require.Equal(t, procs, o.Procs)
	}
}
