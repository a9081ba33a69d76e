package predict

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQueue: events come by their time, and those of one time in the order in which they were pushed, whether they are near,
// further away than the wheel reaches, or exactly at its end.
func TestQueue(t *testing.T) {
	const reach = slots << slotBits
	random := rand.New(rand.NewPCG(1, 2))
	e := newTestEngine(t, machine("cores=2"), 1)
	var waiting []event
	id := int32(0)
	for range 20000 {
		for range random.IntN(4) {
			at := e.now + Time([]int64{0, 1, random.Int64N(200), random.Int64N(reach), reach - 1, reach, random.Int64N(10 * reach)}[random.IntN(7)])
			id++
			e.push(at, evIssue, id, 0)
			waiting = append(waiting, event{at: at, a: id})
		}
		if len(waiting) == 0 {
			continue
		}
		next := slices.MinFunc(waiting, func(x, y event) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.a, y.a)) })
		got, ok := e.queue.pop(e.now)
		require.True(t, ok)
		require.Equal(t, [2]int64{int64(next.at), int64(next.a)}, [2]int64{int64(got.at), int64(got.a)})
		e.now = got.at
		waiting = slices.DeleteFunc(waiting, func(v event) bool { return v.a == next.a })
		if len(waiting) > 100 { // the rest, so that the queue is empty now and then
			for range waiting {
				got, ok = e.queue.pop(e.now)
				require.True(t, ok)
				require.GreaterOrEqual(t, got.at, e.now)
				e.now = got.at
			}
			waiting = waiting[:0]
			_, ok = e.queue.pop(e.now)
			require.False(t, ok)
		}
	}
}
