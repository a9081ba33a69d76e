package analyse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// drawn is a system that is given by its graph: the sections of two processes
// in each state, as letters: r, e, c, x for exit, and d for an entry section
// past the doorway, and the successors by each.
type drawn []struct {
	at   string
	next [2]int // -1 for none
}

func (d drawn) Words() int         { return 1 }
func (d drawn) Actors() int        { return 2 }
func (d drawn) Initial(s []uint64) { s[0] = 0 }

func (d drawn) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	for a, to := range d[s[0]].next {
		if to >= 0 {
			out[a] = uint64(to)
			enabled |= 1 << a
		}
	}
	return enabled, 0
}

func (d drawn) space(t *testing.T) *analyse.Space {
	g := explore.Run(t.Context(), d, explore.Options{Keep: true})
	require.Equal(t, len(d), g.States, "every state that is drawn can be reached")
	sections := make([][]interp.Section, 2)
	for _, s := range d {
		for pid := range sections {
			sections[pid] = append(sections[pid], map[byte]interp.Section{'r': interp.Remainder, 'e': interp.Entry, 'd': interp.Entry,
				'c': interp.Critical, 'x': interp.Exit}[s.at[pid]])
		}
	}
	whole := explore.Field{Mask: 1<<32 - 1}
	return analyse.New(g, 1, []explore.Field{whole, whole}, sections)
}

// past tells of a process that is in its entry section whether it is past its
// doorway.
func (d drawn) past() [][]bool {
	past := make([][]bool, 2)
	for _, s := range d {
		for pid := range past {
			past[pid] = append(past[pid], s.at[pid] == 'd')
		}
	}
	return past
}

func (d drawn) bypass(s *analyse.Space, pid int) analyse.Bypass {
	return s.Bypasses(d.past(), shm.Exclusive)[pid]
}

// TestFairness: a process that spins starves only if the other steps too, or
// may stay where it is.
func TestFairness(t *testing.T) {
	spinAlone := drawn{ // 0 polls while 1 is in its critical section, and 1 leaves
		{"rc", [2]int{1, 2}}, {"ec", [2]int{1, 3}}, {"rr", [2]int{-1, 0}}, {"er", [2]int{4, -1}}, {"cr", [2]int{-1, -1}},
	}
	s := spinAlone.space(t)
	require.Nil(t, s.Stays(0, interp.Entry), "1 must leave, and then 0 gets on")
	require.Nil(t, s.Deadlock())

	remainder := drawn{{"rr", [2]int{1, -1}}, {"er", [2]int{1, -1}}} // 0 polls, and 1 need not come
	s = remainder.space(t)
	require.NotNil(t, s.Stays(0, interp.Entry))
	require.NotNil(t, s.Deadlock())
	prefix, cycle := s.Schedule(s.Deadlock())
	require.Equal(t, []int{0}, prefix)
	require.Equal(t, []int{0}, cycle)

	overtaken := drawn{ // 1 goes round forever, and 0 polls
		{"rr", [2]int{1, -1}}, {"dr", [2]int{3, 2}}, {"dc", [2]int{2, 1}}, {"cr", [2]int{0, -1}},
	}
	s = overtaken.space(t)
	require.NotNil(t, s.Stays(0, interp.Entry))
	require.Nil(t, s.Stays(1, interp.Entry))
	require.Nil(t, s.Deadlock(), "1 enters forever")
	bypass := overtaken.bypass(s, 0)
	require.Equal(t, shm.Unbounded, bypass.PastDoorway)
	require.Equal(t, shm.Unbounded, bypass.FromStart)
	require.NotNil(t, bypass.Cycle)
	require.True(t, bypass.Overtaken)
	require.NotNil(t, s.Overtaking(overtaken.past()))
	_, cycle = s.Schedule(bypass.Cycle)
	require.Contains(t, cycle, 1)

	stuck := drawn{{"xr", [2]int{0, -1}}}
	s = stuck.space(t)
	require.NotNil(t, s.Stays(0, interp.Exit))
	require.Nil(t, s.Stays(0, interp.Entry), "an exit section is not an entry section")
	require.Nil(t, s.Deadlock(), "nobody is trying")
}

// TestBypassIsExact: the longest path, not the first that is found.
func TestBypassIsExact(t *testing.T) {
	d := drawn{
		{"rr", [2]int{1, -1}},
		{"dr", [2]int{6, 2}}, {"dc", [2]int{-1, 3}}, {"dr", [2]int{6, 4}}, {"dc", [2]int{-1, 5}}, {"dr", [2]int{6, -1}},
		{"cr", [2]int{-1, -1}},
	}
	s := d.space(t)
	bypass := d.bypass(s, 0)
	require.Nil(t, bypass.Cycle)
	require.Equal(t, 2, bypass.PastDoorway)
	require.True(t, bypass.Overtaken)
	o := s.Overtaking(d.past())
	require.Equal(t, []int{0, 1}, []int{o.First, o.Second})
	require.Equal(t, []int{1}, o.Path)
	require.Equal(t, 2, s.Most(s.Remote(0, s.N, func(from uint32, _ int) bool { return from < 2 })))
	require.Equal(t, []int{0, 1}, s.G.Path(3), "states are numbered as they are found")
}

// TestBoundsOfAnyWidth: what does not fit into the narrowest numbers is not cut
// short.
func TestBoundsOfAnyWidth(t *testing.T) {
	for _, most := range []int{253, 254, 255, 256, 300, 70_000} {
		// 1 goes in and out while 0 waits, and 0 makes as many steps before it is in.
		d := drawn{{"rr", [2]int{1, -1}}}
		for range most {
			k := len(d)
			d = append(d, drawn{{"dr", [2]int{-1, k + 1}}, {"dc", [2]int{-1, k + 2}}, {"dx", [2]int{k + 3, -1}}}...)
		}
		d = append(d, drawn{{"dx", [2]int{len(d) + 1, -1}}, {"cx", [2]int{-1, -1}}}...)
		s := d.space(t)
		b := d.bypass(s, 0)
		require.Equal(t, []int{most, most}, []int{b.FromStart, b.PastDoorway})
		require.True(t, b.Overtaken)
		require.Equal(t, most+1, s.Most(s.Remote(0, s.N, func(from uint32, _ int) bool { return from > 0 })))
	}
}
