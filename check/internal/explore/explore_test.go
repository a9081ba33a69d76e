package explore_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/explore"
)

// dial is counters that each go round by themselves, and that each step of one
// disturbs in the next.
type dial struct{ counters, size uint64 }

func (d dial) Words() int         { return 1 }
func (d dial) Actors() int        { return int(d.counters) }
func (d dial) Initial(s []uint64) { s[0] = 0 }

func (d dial) Expand(s, out []uint64) (enabled uint64, bad explore.Bad) {
	for a := range d.counters {
		digit := func(i uint64) uint64 { return s[0] >> (i % d.counters * 8) & 255 }
		if digit(a) == digit(a+1)+2 {
			continue
		}
		out[a] = s[0]&^(255<<(a*8)) | (digit(a)+1)%d.size<<(a*8)
		enabled |= 1 << a
	}
	if s[0]&255 == d.size-1 {
		bad = explore.Exclusion
	}
	return enabled, bad
}

// TestWorkersAgree: states have the numbers that a search breadth first gives
// them, written down here as simply as can be, however many workers there are.
func TestWorkersAgree(t *testing.T) {
	d := dial{3, 40}
	number, order, depth := map[uint64]uint32{0: 0}, []uint64{0}, []int{0}
	var next [][]uint32
	for i := 0; i < len(order); i++ {
		out, row := make([]uint64, 3), make([]uint32, 3)
		enabled, _ := d.Expand(order[i:i+1], out)
		for a := range out {
			row[a] = explore.None
			if enabled>>a&1 == 0 {
				continue
			}
			if _, known := number[out[a]]; !known {
				number[out[a]] = uint32(len(order))
				order, depth = append(order, out[a]), append(depth, depth[i]+1)
			}
			row[a] = number[out[a]]
		}
		next = append(next, row)
	}
	require.Greater(t, len(order), 10_000)
	for _, workers := range []int{1, 2, 3, 5} {
		g := explore.Run(t.Context(), d, explore.Options{Workers: workers, Keep: true})
		require.True(t, g.Exhausted)
		require.Equal(t, len(order), g.States)
		require.Equal(t, depth[len(depth)-1], g.Depth)
		edges := int64(0)
		for id, s := range order {
			require.Equal(t, s, g.State(uint32(id))[0])
			require.Equal(t, next[id], g.Successors(uint32(id)))
			for _, to := range next[id] {
				if to != explore.None {
					edges++
				}
			}
		}
		require.Equal(t, edges, g.Edges)
		without := explore.Run(t.Context(), d, explore.Options{Workers: workers})
		for id := 1; id < len(order); id += 997 {
			path := g.Path(uint32(id))
			require.Equal(t, path, without.Path(uint32(id)))
			require.Len(t, path, depth[id])
			at := uint32(0)
			for _, a := range path {
				at = g.Next(at, a)
			}
			require.Equal(t, uint32(id), at)
		}
		nearest := slices.IndexFunc(order, func(s uint64) bool { return s&255 == d.size-1 })
		require.Equal(t, depth[nearest], depth[g.Bad[explore.Exclusion]])
	}
}

// TestProgressEnds: the last progress says that no state is left to expand, unless a bound has stopped the search.
func TestProgressEnds(t *testing.T) {
	for _, most := range []int{0, 100} {
		var last explore.Progress
		g := explore.Run(t.Context(), dial{3, 40}, explore.Options{MaxStates: most, Progress: func(p explore.Progress) { last = p }})
		require.Equal(t, most == 0, g.Exhausted)
		if g.Exhausted {
			require.Equal(t, g.States, last.States)
			require.Zero(t, last.Frontier)
		}
	}
}
