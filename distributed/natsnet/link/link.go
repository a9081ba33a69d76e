// Package link makes a [distributed.Transport] of anything that carries frames now
// and then: what is lost is sent again, what comes twice or out of order is
// dropped, and what can no longer be had ends the node with a plain word.
//
// Each ordered pair of nodes numbers its parcels from 1. A receiver takes them in
// that order alone and acknowledges the last that it has taken, on every frame
// the other way and otherwise every now and then; a sender keeps what is not
// acknowledged and after a time without news sends all of it again, or as soon
// as it is told of a gap (Go-Back-N).
package link

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// A Carrier takes frames to other nodes. It may lose, double and reorder them.
type Carrier interface {
	// Start lets frames arrive. receive may be called from several goroutines
	// and does not keep the slice.
	Start(receive func(frame []byte)) error

	// Send tries to take frame to node to, and does not wait for anything
	// beyond this machine. It does not keep the slice.
	Send(to distributed.ID, frame []byte)

	Close() error
}

// Options are what a link has to know.
type Options struct {
	Run            wire.Run
	Me             distributed.ID
	Nodes, Threads int

	// Resend is after how long without news a parcel is sent again, at first; 0:
	// 200 ms.
	Resend time.Duration

	// Limit is the most parcels to one node that may be without acknowledgement;
	// 0: 65536. Forget drops the oldest then, because the algorithm survives the
	// other's crash: if he lives he notices, and ends. Otherwise this node does.
	Limit  int
	Forget bool

	// Drop is told of each frame that was not taken, and why; nil: nobody is.
	Drop func(err error)
}

// window is how many parcels to one node may be under way.
const window = 256

// often is after how many parcels taken one is acknowledged at once.
const often = 32

// Silence is after how long without sending anything a node lets another one
// hear that it lives.
const Silence = 500 * time.Millisecond

// A Link is a transport over a carrier.
type Link struct {
	o       Options
	carrier Carrier
	born    uint64
	peers   []*peer // by node; nil: this one
	deliver func(distributed.Parcel)
	fail    func(error)
	failed  sync.Once
	broken  atomic.Bool
	over    atomic.Bool
	done    chan struct{}
	wg      sync.WaitGroup
	counts  counters
}

// New makes a link over c, which it owns.
func New(c Carrier, o Options) *Link {
	if o.Resend == 0 {
		o.Resend = 200 * time.Millisecond
	}
	if o.Limit == 0 {
		o.Limit = 1 << 16
	}
	l := &Link{o: o, carrier: c, born: uint64(time.Now().UnixNano()), peers: make([]*peer, o.Nodes), done: make(chan struct{})}
	for i := range l.peers {
		if distributed.ID(i) != o.Me {
			l.peers[i] = newPeer(l, distributed.ID(i))
		}
	}
	return l
}

// Start implements distributed.Transport.
func (l *Link) Start(deliver func(distributed.Parcel), fail func(error)) error {
	l.deliver, l.fail = deliver, fail
	if err := l.carrier.Start(l.receive); err != nil {
		return err
	}
	l.wg.Go(l.tend)
	return nil
}

// Send implements distributed.Transport.
func (l *Link) Send(p distributed.Parcel) {
	if !l.broken.Load() {
		l.peers[p.Message.To].send(p)
	}
}

// Done lets the others know that this node asks for nothing any more.
func (l *Link) Done() { l.over.Store(true) }

// Close implements distributed.Transport.
func (l *Link) Close() error {
	l.broken.Store(true)
	select {
	case <-l.done:
		return nil
	default:
		close(l.done)
	}
	err := l.carrier.Close()
	l.wg.Wait()
	return err
}

// breaks ends the link because of err.
func (l *Link) breaks(err error) {
	l.failed.Do(func() {
		l.broken.Store(true)
		l.fail(err)
	})
}

// tend looks after all peers until the link is closed.
func (l *Link) tend() {
	t := time.NewTicker(l.o.Resend / 4)
	defer t.Stop()
	for {
		select {
		case <-l.done:
			return
		case now := <-t.C:
			for _, p := range l.peers {
				if p != nil && !l.broken.Load() {
					p.tend(now)
				}
			}
		}
	}
}

var (
	errMisaddressed = errors.New("misaddressed")
	errReplayed     = errors.New("replayed")
)

// receive takes a frame from the network: nothing is known of it.
func (l *Link) receive(b []byte) {
	f, err := wire.Parse(b, l.o.Run, l.o.Nodes, l.o.Threads)
	switch {
	case err != nil:
		l.drop(err)
	case f.To != l.o.Me || f.From == l.o.Me:
		l.drop(fmt.Errorf("%w: from node %d to node %d", errMisaddressed, f.From, f.To))
	case !l.broken.Load():
		l.peers[f.From].receive(f)
	}
}

func (l *Link) drop(err error) {
	l.counts.of(err).Add(1)
	if l.o.Drop != nil {
		l.o.Drop(err)
	}
}
