//go:build unix

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/node"
)

// A node names the nodes that it waits for after 10 s, 20 s, 40 s and so on without
// progress, and gives up when its patience is over.
func TestWaits(t *testing.T) {
	start := time.Now()
	w := waits{patience: time.Minute, progress: start}
	r := &node.Report{Peers: []link.Peer{{Node: 1, Met: true}, {Node: 2}}}
	var said []time.Duration
	for at := time.Duration(0); ; at += link.Silence {
		lines, given := w.look(r, false, start.Add(at))
		if len(lines) > 0 {
			said = append(said, at)
			require.Equal(t, "waits for node 2: it has not been met", lines[len(lines)-1])
			if given {
				require.Equal(t, "no progress for 1m0s: waits to meet all nodes", lines[0], "it ends now")
			} else {
				require.Contains(t, lines[0], ", and ends after 1m0s (-patience): waits to meet all nodes")
			}
		}
		if given {
			break
		}
	}
	require.Equal(t, []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}, said)

	// A first contact with a node is progress.
	r.Peers[1].Met = true
	lines, given := w.look(r, false, start.Add(time.Hour))
	require.Empty(t, lines)
	require.False(t, given)
	// Without patience it waits forever, and speaks ever more seldom.
	w = waits{progress: start}
	for at, n := time.Duration(0), 0; at < 24*time.Hour; at += time.Second {
		if lines, given = w.look(r, false, start.Add(at)); len(lines) > 0 {
			n++
		}
		require.False(t, given)
		require.Less(t, n, 15)
	}
}

// What a node says depends on what it waits for.
func TestWhomItWaitsFor(t *testing.T) {
	for name, c := range map[string]struct {
		r     node.Report
		begun bool
		over  bool
		waits time.Duration
		says  string
	}{
		"nothing": {node.Report{}, true, false, 0, ""},
		"a thread": {
			node.Report{State: "HOLDER=1", Waiting: []node.Waiter{{For: 12 * time.Second}, {For: 3 * time.Second}}, Peers: []link.Peer{
				{Node: 1, Met: true, Silent: 12 * time.Second, Unacked: 2}, {Node: 2, Met: true, Silent: 5 * time.Second}, {Node: 3, Met: true, Unacked: 1},
				{Node: 4, Met: true, Left: true, Silent: time.Second}, {Node: 5, Differs: "-alg: raymond here, central there"}}},
			true, false, 12 * time.Second,
			"no progress for 12s: a thread waits to enter, and 1 more; HOLDER=1\n" +
				"waits for node 1: it has been silent for 12s, and has not taken 2 messages\n" +
				"waits for node 2: it has been silent for 5s\n" +
				"waits for node 4: its process has ended before its load was over\n" +
				"waits for node 5: it was started otherwise: -alg: raymond here, central there",
		},
		"the load of others": {
			node.Report{Peers: []link.Peer{{Node: 1, Met: true, Done: true, Silent: time.Hour}, {Node: 2, Met: true, Silent: 20 * time.Second}, {Node: 3, Met: true, Silent: 11 * time.Second}}},
			true, true, 11 * time.Second,
			"no progress for 11s: its own load is over, and it waits for the others'\nwaits for node 2: it has been silent for 20s\nwaits for node 3: it has been silent for 11s",
		},
		"a load that goes on": {node.Report{Peers: []link.Peer{{Node: 1, Met: true, Silent: time.Hour}, {Node: 2, Met: true}}}, true, true, 0, ""},
		"the resource": {
			node.Report{Storing: []node.Waiter{{For: 20 * time.Second}}, Trouble: "the NATS server does not answer within 5s"}, true, false, 20 * time.Second,
			"no progress for 20s: a thread waits for the resource, or for the server that keeps the lock\nrequests are repeated: the NATS server does not answer within 5s",
		},
		"one that left before this one came back": {node.Report{Peers: []link.Peer{{Node: 1, Silent: time.Hour}}}, true, true, 0, ""},
		"the server": {
			node.Report{Waiting: []node.Waiter{{For: time.Minute}}, ServerDown: 59 * time.Second}, true, false, time.Minute,
			"no progress for 1m0s: a thread waits to enter\nthe NATS server has not been reachable for 59s",
		},
	} {
		w := waits{begun: c.begun, progress: time.Now(), met: len(c.r.Peers)}
		require.Equal(t, c.waits, w.waiting(&c.r, c.over, time.Now()), name)
		lines, _ := w.look(&c.r, c.over, time.Now())
		require.Equal(t, c.says, strings.Join(lines, "\n"), name)
	}
	// Of many nodes it names a few.
	r := node.Report{}
	for i := range 1000 {
		r.Peers = append(r.Peers, link.Peer{Node: 1})
		r.Peers[i].Silent = time.Hour
	}
	w := waits{progress: time.Now().Add(-time.Hour)}
	lines, _ := w.look(&r, false, time.Now())
	require.Len(t, lines, 12)
}
