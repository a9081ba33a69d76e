// Package carriertest tests whether a link over a carrier keeps the promises of a
// distributed.Transport.
package carriertest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/wire"
)

// Nodes is the number of carriers in a test.
const Nodes = 3

// Long is a deadline for actions that take little time on any machine. When it has
// passed, an action hangs.
const Long = 2 * time.Minute

// Test sends parcels among the nodes of these carriers, and returns their links. The
// parameter each is the number of parcels from a node to every other node. Each node must
// take each parcel once, and the parcels of a pair in order. If disturb is not nil, Test
// calls it after some parcels have arrived, to disturb the network.
func Test(t *testing.T, run wire.Run, carriers []*link.Cut, each int, disturb func()) []*link.Link {
	var links []*link.Link
	var mu sync.Mutex
	next := make([][Nodes]int64, Nodes)
	failed := make(chan error, Nodes)
	some, all, taken := make(chan struct{}), make(chan struct{}), 0
	for i, c := range carriers {
		l := link.New(c, link.Options{Run: run, Me: distributed.ID(i), Nodes: Nodes, Threads: 1, Resend: 50 * time.Millisecond})
		links = append(links, l)
		require.NoError(t, l.Meet())
		require.NoError(t, l.Start(func(p distributed.Parcel) {
			mu.Lock()
			defer mu.Unlock()
			if expected := &next[i][p.Message.From]; *expected != p.Message.Stamp {
				t.Errorf("node %d took %v, and %d was next", i, p.Message, *expected)
			} else {
				*expected++
			}
			switch taken++; taken {
			case each:
				close(some)
			case Nodes * (Nodes - 1) * each:
				close(all)
			}
		}, func(err error) { failed <- err }))
	}
	t.Cleanup(func() {
		for _, l := range links {
			require.NoError(t, l.Close())
		}
	})
	var wg sync.WaitGroup
	for i, l := range links {
		wg.Go(func() {
			for k := range int64(each) {
				if k == int64(each)/2 {
					Wait(t, some, failed) // the rest goes while it is disturbed
				}
				for j := range distributed.ID(Nodes) {
					if j != distributed.ID(i) {
						l.Send(distributed.Parcel{Message: distributed.Message{Kind: distributed.Request, From: distributed.ID(i), To: j, Who: j, Stamp: k}})
					}
				}
			}
		})
	}
	Wait(t, some, failed)
	if disturb != nil {
		disturb()
	}
	wg.Wait()
	Wait(t, all, failed)
	return links
}

// Wait waits until done is closed, and fails the test on an error or after Long.
func Wait(t *testing.T, done chan struct{}, failed chan error) {
	select {
	case <-done:
	case err := <-failed:
		t.Errorf("the link fails: %v", err)
	case <-time.After(Long):
		t.Error("it hangs")
	}
}

// Partition cuts node 0 off from the others for 100 ms, so that some parcels are
// lost, and joins all nodes again.
func Partition(carriers []*link.Cut) {
	for i, c := range carriers {
		c.Part([]bool{i != 0, i == 0, i == 0})
	}
	time.Sleep(100 * time.Millisecond) // some are sent into the void
	for _, c := range carriers {
		c.Part(make([]bool, Nodes))
	}
}
