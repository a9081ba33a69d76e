package harness

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/node"
)

// Messages on their way to a node that still reports are no reason to wait: the nodes'
// states then show which node waits for which.
func TestWhoWaits(t *testing.T) {
	waits := []node.Waiter{{For: 3 * time.Second}}
	r := &Run{o: Options{Deadline: 3 * time.Second}, reports: []*node.Report{
		{State: "next=1", Peers: []link.Peer{{Node: 1, Unacked: 1, Silent: time.Millisecond}, {Node: 2, Silent: time.Millisecond}}},
		{State: "next=0", Peers: []link.Peer{{Node: 0}, {Node: 2}}},
		{State: "no token", Waiting: waits, Peers: []link.Peer{{Node: 0}, {Node: 1}}},
	}}
	const head = "a thread waits and none has entered for 3s\nnode 2: waits for 3s; no token"
	require.Equal(t, head+"\nnode 0: is heard by all; next=1\nnode 1: is heard by all; next=0", r.whoWaits())
	r.reports[2].Peers[1] = link.Peer{Node: 1, Unacked: 4, Silent: 2 * time.Second}
	require.Equal(t, head+"\nnode 2: waits for node 1 to take 4 of its messages; it has been silent for 2s", r.whoWaits())
}
