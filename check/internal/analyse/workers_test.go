package analyse_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// maze is three processes that go twice through their sections, of rooms states
// each, as the others stand: past some rooms, so that edges lead back to what was
// reached by fewer steps, and, the last one, round a cycle.
type maze struct{ rooms uint64 }

func (m maze) Words() int         { return 1 }
func (m maze) Actors() int        { return 3 }
func (m maze) Initial(s []uint64) { s[0] = 0 }

func (m maze) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	for p := range 3 {
		at := func(p int) uint64 { return s[0] >> (p % 3 * 16) & (1<<16 - 1) }
		next := at(p) + 1
		if next == 8*m.rooms {
			continue
		}
		section, room := at(p)/m.rooms%4, at(p)%m.rooms
		switch others := at(p+1) + 2*at(p+2); {
		case section == 1 && room == 0 && others%3 == 0:
			next += m.rooms - 2
		case section == 1 && room == 1 && others%5 == 0:
			next = at(p)
		case section == 1 && room == 2 && others%7 == 0 && p == 2:
			next -= 2
		}
		out[p] = s[0]&^((1<<16-1)<<(p*16)) | next<<(p*16)
		enabled |= 1 << p
	}
	return enabled, 0
}

// processes returns where the local states of the processes are, and the section of each.
func (m maze) processes() (procs []explore.Field, sections [][]interp.Section) {
	sections = make([][]interp.Section, 3)
	for p := range 3 {
		procs = append(procs, explore.Field{Shift: uint(p * 16), Mask: 1<<16 - 1})
		for local := range 8 * m.rooms {
			sections[p] = append(sections[p], interp.Section(local/m.rooms%4))
		}
	}
	return procs, sections
}

// TestWorkersDecideAlike: one worker and three find the same in a graph in which
// many edges lead back, or to the same level.
func TestWorkersDecideAlike(t *testing.T) {
	m := maze{7}
	g := explore.Run(t.Context(), m, explore.Options{Workers: 2, Keep: true})
	require.Greater(t, g.States, 20_000)
	procs, sections := m.processes()
	past := make([][]bool, 3)
	for p := range 3 {
		for local := range 8 * m.rooms {
			past[p] = append(past[p], local/m.rooms%4 == 1 && local%m.rooms > 2)
		}
	}
	again := explore.Run(t.Context(), m, explore.Options{Workers: 2, StatesOnly: true})
	var want []any
	for _, workers := range []int{1, 3} {
		s := analyse.New(g, workers, procs, sections)
		var got []any
		lasso := func(l *analyse.Lasso) {
			if l != nil {
				prefix, cycle := s.Schedule(l)
				got = append(got, prefix, len(cycle))
			}
			got = append(got, l != nil)
		}
		lasso(s.Deadlock())
		first, decided := analyse.New(again, workers, procs, sections).DeadlockWithoutEdges(t.Context(), math.MaxInt64)
		require.True(t, decided)
		lasso(first)
		remote := func(from uint32, pid int) bool { return from%5 == uint32(pid) }
		for pid, b := range s.Bypasses(past, shm.Exclusive) {
			lasso(s.Stays(pid, interp.Entry))
			lasso(s.Stays(pid, interp.Exit))
			lasso(b.Cycle)
			got = append(got, b.FromStart, b.PastDoorway, b.Overtaken, s.Waits(pid), s.Most(s.Remote(pid, s.N, remote)))
		}
		if want == nil {
			want = got
			t.Log(got)
		}
		require.Equal(t, want, got)
	}
}
