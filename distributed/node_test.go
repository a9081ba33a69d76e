package distributed

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An Out has each action of a node in its list, in the order of the actions. Reset empties
// all lists.
func TestOut(t *testing.T) {
	var o Out
	o.Send(Message{From: 1, To: 0, Kind: Request})
	o.Broadcast(Message{From: 1, Kind: Release}, 3)
	o.Grant(1)
	o.Grant(0)
	o.Revoke(2)
	o.Revoke(1)
	o.Set(1, 5)
	o.Cancel(2)
	require.Equal(t, Out{
		Messages: []Message{{From: 1, To: 0, Kind: Request}, {From: 1, To: 0, Kind: Release}, {From: 1, To: 2, Kind: Release}},
		Grants:   []Thread{1, 0},
		Revoked:  []Thread{2, 1},
		Timers:   []Timer{{1, 5}, {2, 0}},
	}, o)
	o.Reset()
	require.Empty(t, o.Messages)
	require.Empty(t, o.Grants)
	require.Empty(t, o.Revoked)
	require.Empty(t, o.Timers)
}
