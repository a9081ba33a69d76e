package election

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// hold lets the initiators among n nodes, of which some are dead, suspect the
// leader, runs the election to its end and counts messages by kind. A message
// takes no time; time passes when none is under way.
func hold(t *testing.T, a Algorithm, n int, dead, initiators []distributed.ID) (nodes []distributed.Elector, sent [distributed.Kinds]int) {
	nodes, err := a.New(n)
	require.NoError(t, err)
	timers := make([]map[distributed.TimerID]int32, n)
	for i := range timers {
		timers[i] = map[distributed.TimerID]int32{}
	}
	var way []distributed.Message
	do := func(i distributed.ID, act func(distributed.Elector, *distributed.Out)) {
		var out distributed.Out
		act(nodes[i], &out)
		for _, m := range out.Messages {
			sent[m.Kind]++
			if !slices.Contains(dead, m.To) {
				way = append(way, m)
			}
		}
		for _, tm := range out.Timers {
			if timers[i][tm.ID] = tm.After; tm.After == 0 {
				delete(timers[i], tm.ID)
			}
		}
	}
	for _, i := range initiators {
		do(i, func(p distributed.Elector, out *distributed.Out) { p.Suspect(out) })
	}
	for range 1000 {
		for len(way) > 0 {
			m := way[0]
			way = way[1:]
			do(m.To, func(p distributed.Elector, out *distributed.Out) { p.Receive(m, out) })
		}
		pending := false
		for i := range distributed.ID(n) {
			for id := range distributed.TimerID(Timers) {
				if left, set := timers[i][id]; set {
					pending = true
					if timers[i][id] = left - 1; left == 1 {
						delete(timers[i], id)
						do(i, func(p distributed.Elector, out *distributed.Out) { p.Expire(id, out) })
					}
				}
			}
		}
		if !pending && len(way) == 0 {
			return nodes, sent
		}
	}
	t.Fatal("the election does not end")
	return nil, sent
}

func TestHighestWins(t *testing.T) {
	for _, a := range All {
		for n := 3; n <= 9; n++ {
			for i := range distributed.ID(n - 1) {
				nodes, _ := hold(t, *a, n, []distributed.ID{distributed.ID(n - 1)}, []distributed.ID{i})
				for _, p := range nodes[:n-1] {
					leader, term := p.Leader()
					require.Equal(t, distributed.ID(n-2), leader, "%s n=%d from %d", a.Name, n, i)
					require.Equal(t, int64(n-2), term%int64(n))
				}
			}
		}
	}
}

// The textbook numbers of messages, n nodes of which the highest is dead.
func TestMessages(t *testing.T) {
	const n = 8
	dead := []distributed.ID{n - 1}
	_, sent := hold(t, Bully, n, dead, []distributed.ID{n - 2})
	require.Equal(t, 1, sent[distributed.Election], "the next highest asks only the dead")
	require.Equal(t, n-1, sent[distributed.Leader])
	_, sent = hold(t, Bully, n, dead, []distributed.ID{0})
	require.Equal(t, n*(n-1)/2, sent[distributed.Election], "the lowest sets off everybody")
	require.Equal(t, (n-1)*(n-2)/2, sent[distributed.OK])

	_, sent = hold(t, Ring, n, dead, []distributed.ID{3})
	require.Equal(t, n, sent[distributed.Election], "once round, and one try at the dead")
	require.Equal(t, n-2, sent[distributed.Leader])

	_, sent = hold(t, ChangRoberts, n, dead, []distributed.ID{n - 2})
	require.Equal(t, n, sent[distributed.Election])
	require.Equal(t, n-1, sent[distributed.Leader])
}

// Chang and Roberts's worst case is the ring in descending order, where each
// candidacy goes on until it meets the highest node; in ascending order each
// is swallowed by the next.
func TestChangRobertsSwallows(t *testing.T) {
	const n = 8
	all := []distributed.ID{0, 1, 2, 3, 4, 5, 6, 7}
	_, sent := hold(t, ChangRoberts, n, nil, all)
	require.Equal(t, n-1+n, sent[distributed.Election], "the ring ascends: only the highest goes round")
}

func TestNewRefuses(t *testing.T) {
	for _, a := range All {
		_, err := a.New(1)
		require.EqualError(t, err, "1 nodes: an election wants 2 to 1048576")
	}
	_, err := Find("nope")
	require.EqualError(t, err, `no election "nope"; there are bully, ring and chang-roberts`)
}
