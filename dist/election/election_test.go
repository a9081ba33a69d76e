package election

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/dist"
)

// hold lets the initiators among n nodes, of which some are dead, suspect the
// leader, runs the election to its end and counts messages by kind. A message
// takes no time; time passes when none is under way.
func hold(t *testing.T, a Algorithm, n int, dead, initiators []dist.ID) (nodes []dist.Elector, sent [dist.Kinds]int) {
	nodes, err := a.New(n)
	require.NoError(t, err)
	timers := make([]map[dist.TimerID]int32, n)
	for i := range timers {
		timers[i] = map[dist.TimerID]int32{}
	}
	var way []dist.Message
	do := func(i dist.ID, act func(dist.Elector, *dist.Out)) {
		var out dist.Out
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
		do(i, func(p dist.Elector, out *dist.Out) { p.Suspect(out) })
	}
	for range 1000 {
		for len(way) > 0 {
			m := way[0]
			way = way[1:]
			do(m.To, func(p dist.Elector, out *dist.Out) { p.Receive(m, out) })
		}
		pending := false
		for i := range dist.ID(n) {
			for id := range dist.TimerID(Timers) {
				if left, set := timers[i][id]; set {
					pending = true
					if timers[i][id] = left - 1; left == 1 {
						delete(timers[i], id)
						do(i, func(p dist.Elector, out *dist.Out) { p.Expire(id, out) })
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
			for i := range dist.ID(n - 1) {
				nodes, _ := hold(t, *a, n, []dist.ID{dist.ID(n - 1)}, []dist.ID{i})
				for _, p := range nodes[:n-1] {
					leader, term := p.Leader()
					require.Equal(t, dist.ID(n-2), leader, "%s n=%d from %d", a.Name, n, i)
					require.Equal(t, int64(n-2), term%int64(n))
				}
			}
		}
	}
}

// The textbook numbers of messages, n nodes of which the highest is dead.
func TestMessages(t *testing.T) {
	const n = 8
	dead := []dist.ID{n - 1}
	_, sent := hold(t, Bully, n, dead, []dist.ID{n - 2})
	require.Equal(t, 1, sent[dist.Election], "the next highest asks only the dead")
	require.Equal(t, n-1, sent[dist.Leader])
	_, sent = hold(t, Bully, n, dead, []dist.ID{0})
	require.Equal(t, n*(n-1)/2, sent[dist.Election], "the lowest sets off everybody")
	require.Equal(t, (n-1)*(n-2)/2, sent[dist.OK])

	_, sent = hold(t, Ring, n, dead, []dist.ID{3})
	require.Equal(t, n, sent[dist.Election], "once round, and one try at the dead")
	require.Equal(t, n-2, sent[dist.Leader])

	_, sent = hold(t, ChangRoberts, n, dead, []dist.ID{n - 2})
	require.Equal(t, n, sent[dist.Election])
	require.Equal(t, n-1, sent[dist.Leader])
}

// Chang and Roberts's worst case is the ring in descending order, where each
// candidacy goes on until it meets the highest node; in ascending order each
// is swallowed by the next.
func TestChangRobertsSwallows(t *testing.T) {
	const n = 8
	all := []dist.ID{0, 1, 2, 3, 4, 5, 6, 7}
	_, sent := hold(t, ChangRoberts, n, nil, all)
	require.Equal(t, n-1+n, sent[dist.Election], "the ring ascends: only the highest goes round")
}

func TestNewRefuses(t *testing.T) {
	for _, a := range All {
		_, err := a.New(1)
		require.EqualError(t, err, "1 nodes: an election wants 2 to 1048576")
	}
	_, err := Find("nope")
	require.EqualError(t, err, `no election "nope"; there are bully, ring and chang-roberts`)
}
