package analyse_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// rooms is a random system: two processes go through their sections, at random moments of a clock that each step
// sets at random. A step may be missing.
type rooms struct {
	clock uint64
	next  []int // by state and process: a state, or -1
}

// sectionOf returns the section of a process in a state of rooms.
func (r rooms) sectionOf(state uint64, pid int) interp.Section {
	return interp.Section(state / r.clock >> (2 * pid) & 3)
}

func drawRooms(rnd *rand.Rand) rooms {
	r := rooms{clock: 1 + uint64(rnd.IntN(5))}
	missing, polls := rnd.IntN(8), 1+rnd.IntN(4)
	for state := range 16 * r.clock {
		for pid := range 2 {
			section := r.sectionOf(state, pid)
			to := section
			if rnd.IntN(polls) == 0 {
				to = (section + 1) % 4
			}
			at := state/r.clock&^(3<<(2*pid)) | uint64(to)<<(2*pid)
			next := int(at*r.clock) + rnd.IntN(int(r.clock))
			if rnd.IntN(12) < missing {
				next = -1
			}
			r.next = append(r.next, next)
		}
	}
	return r
}

func (r rooms) Words() int         { return 1 }
func (r rooms) Actors() int        { return 2 }
func (r rooms) Initial(s []uint64) { s[0] = 0 }

func (r rooms) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	for pid := range 2 {
		if to := r.next[int(s[0])*2+pid]; to >= 0 {
			out[pid], enabled = uint64(to), enabled|1<<pid
		}
	}
	return enabled, 0
}

// TestDeadlockWithoutEdges compares the search for a deadlock that computes the successors of states anew with the one on kept
// edges: the verdict and the execution. Both are right where brute force decides, in package check.
func TestDeadlockWithoutEdges(t *testing.T) {
	rnd := rand.New(rand.NewPCG(41, 4))
	cycles := map[bool]int{} // by whether there is a deadlock, and of more than one state
	longer := 0
	for range 3000 {
		r := drawRooms(rnd)
		sections := make([][]interp.Section, 2)
		for state := range 16 * r.clock {
			for pid := range sections {
				sections[pid] = append(sections[pid], r.sectionOf(state, pid))
			}
		}
		whole := explore.Field{Mask: 1<<32 - 1}
		space := func(o explore.Options) *analyse.Space {
			return analyse.New(explore.Run(t.Context(), r, o), 1+rnd.IntN(2), []explore.Field{whole, whole}, sections)
		}
		kept, again := space(explore.Options{Keep: true}), space(explore.Options{StatesOnly: true})
		want := kept.Deadlock()
		got, decided := again.DeadlockWithoutEdges(t.Context(), math.MaxInt64)
		require.True(t, decided)
		require.Equal(t, want == nil, got == nil, "%+v", r)
		cycles[want != nil]++
		if want == nil {
			continue
		}
		prefix, cycle := kept.Schedule(want)
		samePrefix, sameCycle := again.Schedule(got)
		require.Equal(t, prefix, samePrefix)
		require.Equal(t, cycle, sameCycle)
		if len(cycle) > 2 {
			longer++
		}
	}
	require.Greater(t, min(cycles[false], cycles[true], longer), 100, "%v, %d", cycles, longer)
}

// TestDeadlockWithoutEdgesIsBounded: without room or time there is no verdict.
func TestDeadlockWithoutEdgesIsBounded(t *testing.T) {
	m := maze{7}
	g := explore.Run(t.Context(), m, explore.Options{StatesOnly: true})
	procs, sections := m.processes()
	s := analyse.New(g, 2, procs, sections)
	for _, room := range []int64{0, int64(2*g.States - 1), int64(2 * g.States)} {
		_, decided := s.DeadlockWithoutEdges(t.Context(), room)
		require.False(t, decided, room)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, decided := s.DeadlockWithoutEdges(ended, math.MaxInt64)
	require.False(t, decided)
}

// TestRoomOfTrimmed: a search needs no room for states that lead nowhere: they are removed before.
func TestRoomOfTrimmed(t *testing.T) {
	d := drawn{{"er", [2]int{1, -1}}, {"er", [2]int{2, -1}}, {"cr", [2]int{-1, -1}}}
	g := explore.Run(t.Context(), d, explore.Options{StatesOnly: true})
	s := analyse.New(g, 1, []explore.Field{{Mask: 1<<32 - 1}, {Mask: 1<<32 - 1}}, [][]interp.Section{
		{interp.Entry, interp.Entry, interp.Critical}, {interp.Remainder, interp.Remainder, interp.Remainder}})
	l, decided := s.DeadlockWithoutEdges(t.Context(), int64(2*g.States))
	require.True(t, decided)
	require.Nil(t, l)
}
