package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// A cut loses what goes across it, sent during the cut or under way when it
// begins, and nothing that stays on one side.
func TestCutLosesWhatGoesAcross(t *testing.T) {
	var arrived []string
	var e *engine
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &fake{}
		f.request = func(_ distributed.Thread, out *distributed.Out) {
			if me == 0 {
				out.Set(1, 1)
				out.Set(2, 10)
				out.Set(3, 30)
			}
		}
		f.expire = func(id distributed.TimerID, out *distributed.Out) {
			for to := range distributed.ID(4) {
				if to != me {
					out.Send(distributed.Message{From: me, To: to, Stamp: int64(id)})
				}
			}
		}
		f.receive = func(m distributed.Message, _ *distributed.Out) {
			arrived = append(arrived, fmt.Sprintf("%d to %d at %ds", m.Stamp, m.To, e.now/int64(time.Second)))
		}
		return f
	}), 4, 1, Saturated(), 1)
	o.Delay, o.Tick, o.Until = Fixed(2*time.Second), time.Second, time.Minute
	o.Faults, _ = ParseFaults("cut 2,3 at 2s; cut 1,2 at 9s; heal at 20s")
	e, err := newEngine(&o)
	require.NoError(t, err)
	e.start()
	e.play(t.Context(), 1000)
	require.Equal(t, []string{
		"1 to 1 at 3s",                                    // under way to its own side
		"2 to 3 at 12s",                                   // sent to its own side of the new cut
		"3 to 1 at 32s", "3 to 2 at 32s", "3 to 3 at 32s", // after the cut
	}, arrived)
	require.Equal(t, int64(4), e.meter.lost, "two sent before the first cut, two during the second")
}

// A cut at random has nodes on both sides, heals, and comes again.
func TestRandomCuts(t *testing.T) {
	o := system(find(t, "token-ring"), 3, 1, Saturated(), 1)
	o.Random = RandomFaults{Cut: time.Second, Heal: time.Second}
	e, err := newEngine(&o)
	require.NoError(t, err)
	sides := map[string]int{}
	for range 600 {
		pending := len(e.queue.items)
		e.randomFault(event{kind: cut})
		require.True(t, e.parted)
		sides[fmt.Sprint(e.side)]++
		e.randomFault(event{kind: heal})
		require.False(t, e.parted)
		require.Len(t, e.queue.items, pending+2, "the heal after a cut, and the cut after a heal")
	}
	require.Len(t, sides, 6, "every way to part three nodes: %v", sides)
	for side, n := range sides {
		require.Greater(t, n, 50, side)
	}
}

// Each message is lost, or doubled, with its probability and by draws of its
// own: what is doubled changes nothing in what is lost.
func TestLossAndDuplication(t *testing.T) {
	fates := func(r RandomFaults) (lost, doubled []int) {
		o := system(find(t, "token-ring"), 3, 1, Saturated(), 1)
		o.Random = r
		w := newNetwork(&o)
		require.True(t, w.unreliable)
		var c meter
		for k := range 10_000 {
			switch w.copies(&distributed.Message{From: 0, To: 1}, &c) {
			case 0:
				lost = append(lost, k)
			case 2:
				doubled = append(doubled, k)
			}
		}
		require.Equal(t, int64(len(lost)), c.lost)
		require.Equal(t, int64(len(doubled)), c.doubled)
		return lost, doubled
	}
	lost, none := fates(RandomFaults{Loss: 0.05})
	require.InDelta(t, 500, len(lost), 80)
	require.Empty(t, none)
	both, _ := fates(RandomFaults{Loss: 0.05, Duplication: 0.3})
	require.Equal(t, lost, both)
	none, doubled := fates(RandomFaults{Duplication: 0.3})
	require.Empty(t, none)
	require.InDelta(t, 3000, len(doubled), 180)
}

// No two replications have one seed, nor any with the seed next to it.
func TestReplicationsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(20) {
		for k := range 50 {
			seen[Options{Seed: seed}.Replication(k).Seed] = true
		}
	}
	require.Len(t, seen, 20*50)
}

// What is sent across a cut is lost also if the cut heals before it would
// arrive; a message that is to be lost, or doubled, is one from the sender to
// the receiver that were named.
func TestFateAtSending(t *testing.T) {
	o := system(find(t, "token-ring"), 3, 1, Saturated(), 1)
	o.Faults = []Fault{{Kind: Heal}}
	w := newNetwork(&o)
	var c meter
	there, back := &distributed.Message{From: 0, To: 1}, &distributed.Message{From: 1, To: 0}
	w.parted, w.side[1] = true, true
	require.Equal(t, 0, w.copies(there, &c))
	require.Equal(t, 1, w.copies(&distributed.Message{From: 0, To: 2}, &c))
	w.parted = false
	w.next = []Fault{{Kind: Lose, Node: 0, To: 1}, {Kind: Copy, Node: 0, To: 1}}
	require.Equal(t, 1, w.copies(back, &c))
	require.Equal(t, 0, w.copies(there, &c))
	require.Equal(t, 2, w.copies(there, &c))
	require.Equal(t, 1, w.copies(there, &c))
}

// Of a message that arrives twice each copy has a body of its own.
func TestCopiesShareNothing(t *testing.T) {
	var bodies []int64
	o := system(algorithm(func(me distributed.ID) distributed.Node {
		f := &fake{}
		f.request = func(_ distributed.Thread, out *distributed.Out) {
			if me == 0 {
				out.Send(distributed.Message{From: 0, To: 1, Body: []int64{7}})
			}
		}
		f.receive = func(m distributed.Message, _ *distributed.Out) {
			bodies = append(bodies, m.Body[0])
			m.Body[0] = 8
		}
		return f
	}), 2, 1, Saturated(), 1)
	o.Random.Duplication = 1
	run(t, o)
	require.Equal(t, []int64{7, 7}, bodies)
}
