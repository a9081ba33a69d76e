package failover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

// A round without a majority ends. The node asks the node with a majority of the votes. If
// there is none, it asks the least node with a vote, and waits if it is itself the least.
func TestRoundWithoutMajority(t *testing.T) {
	const none = distributed.None
	for _, c := range []struct {
		answers []distributed.ID
		ask     distributed.ID // none: node 2 waits
	}{
		{[]distributed.ID{unknown, unknown, 2, unknown, unknown}, none},
		{[]distributed.ID{none, none, 2, unknown, unknown}, none},
		{[]distributed.ID{0, unknown, 2, 1, 3}, 0},
		{[]distributed.ID{1, unknown, 2, 0, 3}, 0},
		{[]distributed.ID{3, 3, 2, 4, unknown}, none},
		{[]distributed.ID{3, 3, 2, 3, unknown}, 3},
		{[]distributed.ID{4, 4, 4, 0, 0}, 4},
		{[]distributed.ID{0, 0, 4, 4, 4}, 4},
		{[]distributed.ID{1, 1, 2, 2, 4}, 1},
		{[]distributed.ID{4, 3, 3, 3, 4}, 3},
		{[]distributed.ID{3, 4, 3, 4, 4}, 4},
	} {
		p := newReign(2, 5, 0, []distributed.ID{0, 1, 2, 3, 4}, 10)
		p.phase, p.round = asking, claiming
		p.queue.Push(4)
		p.queue.Push(2)
		copy(p.answers, c.answers)
		var out distributed.Out
		p.lost(&out)
		if c.ask == none {
			require.Equal(t, pausing, p.round, "%v", c.answers)
			require.Empty(t, out.Messages, "%v", c.answers)
			require.Equal(t, []distributed.Timer{{ID: timerRound, After: 2}}, out.Timers, "%v", c.answers)
			require.Equal(t, []distributed.ID{4, 2}, p.queue.Slice(), "%v", c.answers)
			continue
		}
		require.Equal(t, quiet, p.round, "%v", c.answers)
		require.Equal(t, c.ask, p.coordinator, "%v", c.answers)
		require.Equal(t, []distributed.Message{
			{Kind: distributed.Moved, From: 2, To: 4, Who: c.ask},
			{Kind: distributed.Request, From: 2, To: c.ask, Who: 2},
		}, out.Messages, "%v", c.answers)
		require.Equal(t, []distributed.Timer{{ID: timerRound}, {ID: timerClient, After: 4}}, out.Timers, "%v", c.answers)
		require.Zero(t, p.queue.Len())
		for _, whose := range p.answers {
			require.Equal(t, unknown, whose)
		}
	}
}

// Node 4 gives its vote to one node, and refuses other nodes until the vote is free again.
func TestVote(t *testing.T) {
	p := newReign(4, 5, 0, []distributed.ID{0, 1, 2, 3, 4}, 10)
	for _, c := range []struct {
		claims distributed.ID
		says   distributed.Kind
		vote   distributed.ID
		expire bool // the vote is free again after the claim
	}{
		{1, distributed.OK, 1, false},
		{0, distributed.Refused, 1, false},
		{1, distributed.OK, 1, true},
		{0, distributed.OK, 0, false},
		{1, distributed.Refused, 0, false},
	} {
		var out distributed.Out
		p.Receive(distributed.Message{Kind: distributed.Claim, From: c.claims, To: 4}, &out)
		require.Equal(t, []distributed.Message{{Kind: c.says, From: 4, To: c.claims, Who: c.vote}}, out.Messages)
		if c.says == distributed.OK {
			require.Equal(t, []distributed.Timer{{ID: timerVote, After: 16}}, out.Timers)
		} else {
			require.Empty(t, out.Timers)
		}
		if c.expire {
			p.Expire(timerVote, &out)
		}
	}

	var out distributed.Out
	p.Recover(&out) // V3
	require.Equal(t, []distributed.Timer{{ID: timerVote, After: 16}, {ID: timerRound, After: 16}}, out.Timers)
	require.Equal(t, distributed.Refused, p.voteFor(4, &out))
	p.Expire(timerVote, &out)
	require.Equal(t, distributed.OK, p.voteFor(4, &out))
}
