package live

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
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

// A member whose transport fails says why, and lets nobody wait.
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

// A permission that is taken back is told to who has it; that he then leaves is
// no release.
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
