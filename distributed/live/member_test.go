package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/failover"
	"shmbench/distributed/lease"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
)

// wires join members as a network would: what is sent is delivered from another
// goroutine.
type wires struct {
	deliver []chan distributed.Parcel
	fail    []func(error)
	wg      sync.WaitGroup
}

type wire struct {
	*wires
	id distributed.ID
}

func newWires(n int) *wires {
	w := &wires{deliver: make([]chan distributed.Parcel, n), fail: make([]func(error), n)}
	for i := range w.deliver {
		w.deliver[i] = make(chan distributed.Parcel, 1000)
	}
	return w
}

func (w wire) Start(deliver func(distributed.Parcel), fail func(error)) error {
	w.fail[w.id] = fail
	w.wg.Go(func() {
		for p := range w.deliver[w.id] {
			deliver(p)
		}
	})
	return nil
}
func (w wire) Send(p distributed.Parcel) { w.deliver[p.Message.To] <- p }
func (w wire) Close() error              { return nil }

func members(t *testing.T, a *distributed.Algorithm, c distributed.Config, o Options) ([]*Member, *wires) {
	w := newWires(c.Nodes)
	all := make([]*Member, c.Nodes)
	for i := range all {
		var err error
		all[i], err = Join(a, c, distributed.ID(i), wire{w, distributed.ID(i)}, o)
		require.NoError(t, err)
	}
	t.Cleanup(func() {
		for _, m := range all {
			require.NoError(t, m.Close())
		}
		for _, in := range w.deliver {
			close(in)
		}
		w.wg.Wait()
	})
	return all, w
}

// Each permission's fence is one more than the one before it, at whatever node.
func TestFencesCountPermissions(t *testing.T) {
	for _, a := range []*distributed.Algorithm{&permission.Central, &permission.RicartAgrawala, &permission.Maekawa, &token.SuzukiKasami, &token.Raymond} {
		all, _ := members(t, a, distributed.Config{Nodes: 4, Threads: 2}, Options{Tick: tick})
		var wg sync.WaitGroup
		var got []distributed.Fence // protected by the lock alone
		for _, m := range all {
			for k := range distributed.Thread(2) {
				wg.Go(func() {
					for range 20 {
						p, err := m.Lock(context.Background(), k)
						if err != nil {
							panic(err)
						}
						got = append(got, p.Fence)
						m.Unlock(k)
					}
				})
			}
		}
		wg.Wait()
		for k, f := range got {
			require.Equal(t, distributed.Fence{Count: int64(k + 1)}, f, a.Name)
		}
	}
}

// A member whose transport fails says why, and lets no thread wait.
func TestFailedTransport(t *testing.T) {
	all, w := members(t, &permission.Central, distributed.Config{Nodes: 2, Threads: 1}, Options{Tick: tick})
	_, err := all[0].Lock(t.Context(), 0)
	require.NoError(t, err)
	waits := make(chan error)
	go func() {
		_, err := all[1].Lock(context.Background(), 0)
		waits <- err
	}()
	cut := errors.New("the wire is cut")
	w.fail[1](cut)
	require.Equal(t, cut, <-waits)
	require.Equal(t, cut, all[1].Err())
	require.NoError(t, all[0].Err())
	require.NotEmpty(t, all[0].State())
	require.Empty(t, all[1].State())
}

// A message that makes a node panic ends that node, not the program.
func TestBrokenDown(t *testing.T) {
	all, w := members(t, &permission.Central, distributed.Config{Nodes: 2, Threads: 1}, Options{Tick: tick})
	w.deliver[1] <- distributed.Parcel{Message: distributed.Message{Kind: distributed.Grant, To: 1}}
	<-all[1].Done()
	require.ErrorContains(t, all[1].Err(), "node 1 broke down")
}

// The holder of a revoked permission is told. Its later exit is no release.
func TestRevoked(t *testing.T) {
	all, _ := members(t, &lease.Register, distributed.Config{Nodes: 2, Threads: 1, Lease: 1}, Options{Tick: time.Millisecond})
	p, err := all[1].Lock(t.Context(), 0)
	require.NoError(t, err)
	<-p.Revoked
	all[1].Unlock(0)
	q, err := all[1].Lock(t.Context(), 0)
	require.NoError(t, err)
	require.Greater(t, q.Fence.Count, p.Fence.Count+1, "a time was over, and a token may be out that nobody has heard of")
}

// A node that keeps something writes it before its messages go out. From that a
// restarted node recovers instead of starting.
func TestKeeps(t *testing.T) {
	var mu sync.Mutex
	var kept [][]int64
	keep := func(k []int64) error {
		mu.Lock()
		defer mu.Unlock()
		kept = append(kept, k)
		return nil
	}
	w := newWires(2)
	a := &failover.CentralBully
	m, err := Join(a, distributed.Config{Nodes: 2, Threads: 1}, 0, wire{w, 0}, Options{Tick: tick, Keep: keep})
	require.NoError(t, err)
	w.deliver[0] <- distributed.Parcel{Message: distributed.Message{Kind: distributed.Query, From: 1, Stamp: 1 << 30}}
	require.Equal(t, distributed.Report, (<-w.deliver[1]).Message.Kind)
	mu.Lock()
	require.Len(t, kept, 2)
	require.Equal(t, int64(1<<30), kept[1][0])
	mu.Unlock()
	require.NoError(t, m.Close())

	again := newWires(2)
	m, err = Join(a, distributed.Config{Nodes: 2, Threads: 1}, 0, wire{again, 0}, Options{Tick: tick, Keep: keep, Recover: true, Kept: kept[1]})
	require.NoError(t, err)
	require.Equal(t, distributed.Up, (<-again.deliver[1]).Message.Kind, "it says that it has restarted")
	require.Contains(t, m.State(), "epoch=1073741824")
	require.NoError(t, m.Close())

	// A state that cannot be kept ends the node, and nothing is sent that rests on it.
	broken := newWires(2)
	m, err = Join(a, distributed.Config{Nodes: 2, Threads: 1}, 0, wire{broken, 0}, Options{Tick: tick, Keep: func([]int64) error { return errors.New("no space left") }})
	require.NoError(t, err)
	<-m.Done()
	require.ErrorContains(t, m.Err(), "its state cannot be kept: no space left")
	require.Empty(t, broken.deliver[1])
	require.NoError(t, m.Close())
	for _, all := range []*wires{w, again, broken} {
		for _, in := range all.deliver {
			close(in)
		}
		all.wg.Wait()
	}

	_, err = Join(a, distributed.Config{Nodes: 2, Threads: 1}, 0, wire{newWires(2), 0}, Options{Tick: tick, Recover: true, Kept: []int64{7}})
	require.ErrorContains(t, err, "what the node has kept: [7] is not an epoch and a number of elections")
	_, err = Join(&permission.Central, distributed.Config{Nodes: 2, Threads: 1}, 0, wire{newWires(2), 0}, Options{Tick: tick, Recover: true})
	require.EqualError(t, err, "central takes no restarted node back")
}

// A system has no node below 0, and none from its number of nodes on.
func TestJoinRefuses(t *testing.T) {
	c := distributed.Config{Nodes: 2, Threads: 1}
	for _, id := range []distributed.ID{-1, 2} {
		_, err := Join(&permission.Central, c, id, wire{newWires(2), 0}, Options{Tick: tick})
		require.EqualError(t, err, fmt.Sprintf("there is no node %d among 0..1", id))
	}
	_, err := Join(&permission.Central, c, 0, wire{newWires(2), 0}, Options{})
	require.EqualError(t, err, "a tick of 0s: it must be above 0")
}

// The delay of a message is the time from the sender's event to the receiver's, by the clock
// that all nodes share.
func TestDelays(t *testing.T) {
	type delay struct {
		kind distributed.Kind
		time time.Duration
	}
	var mu sync.Mutex
	var now int64
	var delays []delay
	all, _ := members(t, &permission.Central, distributed.Config{Nodes: 2, Threads: 1}, Options{
		Tick: tick,
		Clock: func() int64 { // each look takes a second
			mu.Lock()
			defer mu.Unlock()
			now += int64(time.Second)
			return now
		},
		Delay: func(k distributed.Kind, d time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			delays = append(delays, delay{k, d})
		},
	})
	_, err := all[1].Lock(t.Context(), 0)
	require.NoError(t, err)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []delay{{distributed.Request, time.Second}, {distributed.Grant, time.Second}}, delays)
}

// What ends a node names the message, and no more of it than fits a line.
func TestBrokenDownOnALongMessage(t *testing.T) {
	all, w := members(t, &permission.Central, distributed.Config{Nodes: 2, Threads: 1}, Options{Tick: tick})
	w.deliver[1] <- distributed.Parcel{Message: distributed.Message{Kind: distributed.Grant, To: 1, Body: make([]int64, 1000)}}
	<-all[1].Done()
	require.ErrorContains(t, all[1].Err(), "node 1 broke down on message 0→1 grant [0 0 0")
	require.Less(t, len(all[1].Err().Error()), 400)
}

// slowRelease sends a message when it is released, after a while.
type slowRelease struct{ freeForAll }

func (slowRelease) Release(_ distributed.Thread, out *distributed.Out) {
	time.Sleep(20 * time.Millisecond)
	out.Send(distributed.Message{Kind: distributed.Release, To: 1})
}

// The messages of a release count as soon as Unlock has returned.
func TestTakenWaitsForARelease(t *testing.T) {
	all, _ := members(t, &distributed.Algorithm{Name: "slow-release", New: build(slowRelease{})}, distributed.Config{Nodes: 2, Threads: 1}, Options{Tick: tick})
	_, err := all[0].Lock(t.Context(), 0)
	require.NoError(t, err)
	all[0].Unlock(0)
	require.Zero(t, all[0].Taken())
	require.EqualValues(t, 1, all[0].Sent().Total())
}
