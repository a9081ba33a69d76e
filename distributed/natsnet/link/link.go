// Package link makes a [distributed.Transport] of a carrier of frames that can lose them. It
// sends lost frames again, and drops frames that come twice or out of order. It ends the node
// with an error when it can no longer recover a message.
//
// The nodes first meet. Each process compares its settings with those of every other process,
// and learns the names of their processes. From then on it takes messages only from these
// processes.
//
// Each ordered pair of processes numbers its parcels from 1. A receiver takes them in that
// order. It acknowledges the last parcel that it has taken, on every frame that it sends and
// otherwise at intervals. A sender keeps unacknowledged parcels. After a time without news,
// or when it hears of a gap, it sends all of them again (Go-Back-N).
package link

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// A Carrier carries frames to other nodes. It may lose, double and reorder them.
type Carrier interface {
	// Start lets frames arrive.
	Start(Receive) error

	// Send tries to carry frame to node to, which the carrier need not know. It
	// does not wait for anything beyond this machine, and does not keep the slice.
	Send(to distributed.ID, frame []byte)

	// Greet tries to carry frame to every listener, including processes with other
	// settings. It may do nothing.
	Greet(frame []byte)

	Close() error
}

// A Receive handles a frame from the network. As far as the carrier can tell, the
// frame comes from node from. answer tries to carry a frame back to the process
// that sent this one. Several goroutines may call a Receive at once. A Receive does
// not keep the slice.
type Receive func(from distributed.ID, frame []byte, answer func(frame []byte))

// Options configure a link.
type Options struct {
	Run            wire.Run
	Me             distributed.ID
	Nodes, Threads int

	// Settings are the settings that all nodes must share.
	Settings []wire.Setting

	// Check returns an error if no node of the run's algorithm sends the given
	// message. The link drops a frame with such a message. If Check is nil, the
	// link accepts every message.
	Check func(distributed.Message) error

	// Rejoins reports whether node i may come back after the nodes have begun, in
	// place of its earlier process. If Rejoins is nil, no node may come back.
	Rejoins func(i distributed.ID) bool

	// Resend is the initial time without news after which the link sends a parcel
	// again; 0 means 200 ms.
	Resend time.Duration

	// Limit is the maximum number of unacknowledged parcels to one node; 0 means
	// 65536. Beyond it, the link drops the oldest parcel if Forget is set, because
	// the algorithm survives the other node's crash. If that node is alive, it
	// notices and ends. Without Forget, this node ends.
	Limit  int
	Forget bool

	// Drop gets the reason for each dropped frame. If Drop is nil, the link drops the
	// reasons.
	Drop func(err error)

	// Say gets messages for the user about other nodes, each once. If Say is nil, the
	// link drops these messages.
	Say func(text string)
}

// window is how many parcels to one node may be under way.
const window = 256

// often is the number of received parcels after which the link acknowledges at
// once.
const often = 32

// Silence is the longest time that a node sends nothing to another node. After
// this time it sends a sign of life.
const Silence = 500 * time.Millisecond

// alive is how long a silent process still counts as alive when another process
// comes with its number.
const alive = 4 * Silence

// A Link is a [distributed.Transport] over a carrier.
type Link struct {
	o       Options
	carrier Carrier
	process uint64
	peers   []*peer // by node; nil: this one
	deliver func(distributed.Parcel)
	fail    func(error)
	failure chan error // holds at most one error
	failed  sync.Once
	begun   atomic.Bool // Start was called
	broken  atomic.Bool
	over    atomic.Bool
	done    chan struct{}
	wg      sync.WaitGroup
	counts  counters
	meeting meeting
}

// New makes a link over c. The link owns c.
func New(c Carrier, o Options) *Link {
	if o.Resend == 0 {
		o.Resend = 200 * time.Millisecond
	}
	if o.Limit == 0 {
		o.Limit = 1 << 16
	}
	l := &Link{o: o, carrier: c, process: newProcess(), peers: make([]*peer, o.Nodes), failure: make(chan error, 1), done: make(chan struct{})}
	l.meeting.init(o.Nodes - 1)
	for i := range l.peers {
		if distributed.ID(i) != o.Me {
			l.peers[i] = newPeer(l, distributed.ID(i))
		}
	}
	return l
}

// newProcess returns a random name that is not 0.
func newProcess() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return max(1, binary.LittleEndian.Uint64(b[:]))
}

// Meet starts to meet the other nodes; see Met. It returns the carrier's error.
func (l *Link) Meet() error {
	if err := l.carrier.Start(l.receive); err != nil {
		return err
	}
	l.wg.Go(l.tend)
	return nil
}

// Start implements [distributed.Transport]. The caller must have called Meet.
func (l *Link) Start(deliver func(distributed.Parcel), fail func(error)) error {
	l.deliver, l.fail = deliver, fail
	l.begun.Store(true)
	if l.broken.Load() {
		select {
		case err := <-l.failure:
			fail(err)
		default:
		}
	}
	for _, p := range l.peers {
		if p != nil {
			p.begin()
		}
	}
	return nil
}

// Failed returns a channel that gets the error of a link that ends before Start.
func (l *Link) Failed() <-chan error { return l.failure }

// Send implements [distributed.Transport].
func (l *Link) Send(p distributed.Parcel) {
	switch {
	case l.broken.Load():
	case !wire.Fits(&p):
		l.breaks(fmt.Errorf("a number in message %v, token %v, has grown beyond %d: the run must begin anew", p.Message, p.Fence, int64(wire.MaxNumber)))
	default:
		l.peers[p.Message.To].send(p)
	}
}

// Done tells the other nodes that this node makes no more requests.
func (l *Link) Done() { l.over.Store(true) }

// Close implements [distributed.Transport]. It tells the other nodes that this
// process ends.
func (l *Link) Close() error {
	l.broken.Store(true)
	select {
	case <-l.done:
		return nil
	default:
		close(l.done)
	}
	for _, p := range l.peers {
		if p != nil {
			p.bye()
		}
	}
	err := l.carrier.Close()
	l.wg.Wait()
	return err
}

// breaks ends the link because of err.
func (l *Link) breaks(err error) {
	l.failed.Do(func() {
		l.broken.Store(true)
		l.failure <- err
		if l.begun.Load() {
			l.fail(err)
		}
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
			l.greet(now)
			for _, p := range l.peers {
				if p != nil && !l.broken.Load() {
					p.tend(now)
				}
			}
		}
	}
}

var errMisaddressed = errors.New("misaddressed")

// receive handles a frame from the network, which may contain anything.
func (l *Link) receive(from distributed.ID, b []byte, answer func([]byte)) {
	f, err := wire.Parse(b, l.o.Run, l.o.Nodes, l.o.Threads)
	switch {
	case err != nil:
		l.drop(err)
	case f.From != from:
		l.drop(fmt.Errorf("%w: node %d says that it is node %d", errMisaddressed, from, f.From))
	case l.broken.Load():
	case f.Kind == wire.Hello:
		l.helloed(f, answer)
	case f.To != l.o.Me || f.From == l.o.Me || int(f.From) >= len(l.peers):
		l.drop(fmt.Errorf("%w: from node %d to node %d", errMisaddressed, f.From, f.To))
	case f.Kind == wire.Refusal:
		l.refused(f)
	default:
		if err := l.unsound(f); err != nil {
			l.drop(fmt.Errorf("%w: %v", wire.ErrMalformed, err))
			return
		}
		l.peers[f.From].receive(f, answer)
	}
}

// unsound returns an error if the run's algorithm cannot send the message in f. It
// returns nil if f has no message.
func (l *Link) unsound(f *wire.Frame) error {
	if f.Seq == 0 || l.o.Check == nil {
		return nil
	}
	return l.o.Check(f.Parcel.Message)
}

func (l *Link) drop(err error) {
	l.counts.add(1, l.counts.of(err))
	if l.o.Drop != nil {
		l.o.Drop(err)
	}
}
