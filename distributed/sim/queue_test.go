package sim

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The queue gives back what was put in by time, and what has one time in the
// order of scheduling.
func TestQueueOrder(t *testing.T) {
	s := newStream(5, forDelays)
	var q queue
	var model []item
	for range 20_000 {
		if len(model) > 0 && s.chance(0.48) {
			slices.SortStableFunc(model, func(a, b item) int { return int(a.at - b.at) })
			got := q.pop()
			require.Equal(t, model[0], item{got.at, uint64(got.slot())})
			model = model[1:]
			continue
		}
		at, slot := s.below(50), int(s.below(maxSlots))
		q.push(at, slot)
		model = append(model, item{at, uint64(slot)})
	}
}

// Messages of a pair keep their order, and the table keeps to the pairs that
// are under way.
func TestPairsKeepOrder(t *testing.T) {
	s := newStream(6, forDelays)
	p := newPairs()
	last := map[[2]int64]int64{}
	for now := range int64(200_000) {
		from, to := s.below(40), s.below(40)
		free := now + s.below(20)
		at := p.inOrder(now, free, int32(from), int32(to))
		require.Equal(t, max(free, last[[2]int64{from, to}]), at)
		last[[2]int64{from, to}] = at
	}
	require.LessOrEqual(t, len(p.slots), 256)
}
