package link

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

var run = wire.Run{7}

// net is a network in memory that loses, doubles and reorders frames.
type net struct {
	mu   sync.Mutex
	rng  *rand.Rand
	bad  float64 // probability of each of them
	in   []chan []byte
	late [][]byte // by node: a frame that waits to be overtaken
}

type port struct {
	*net
	me      distributed.ID
	stopped *sync.WaitGroup
}

func newNet(n int, bad float64) *net {
	w := &net{rng: rand.New(rand.NewPCG(1, 2)), bad: bad, in: make([]chan []byte, n), late: make([][]byte, n)}
	for i := range w.in {
		w.in[i] = make(chan []byte, 10_000)
	}
	return w
}

func (w *net) port(i distributed.ID) port { return port{w, i, new(sync.WaitGroup)} }

func (p port) Start(receive func([]byte)) error {
	p.stopped.Go(func() {
		for f := range p.in[p.me] {
			if f == nil {
				return
			}
			receive(f)
		}
	})
	return nil
}

func (p port) Close() error {
	p.in[p.me] <- nil
	p.stopped.Wait()
	return nil
}

func (p port) Send(to distributed.ID, frame []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	frame = append([]byte(nil), frame...)
	switch x := p.rng.Float64(); {
	case x < p.bad: // lost
	case x < 2*p.bad:
		p.put(to, frame)
		p.put(to, frame)
	case x < 3*p.bad && p.late[to] == nil:
		p.late[to] = frame
	default:
		p.put(to, frame)
		if p.late[to] != nil {
			p.put(to, p.late[to])
			p.late[to] = nil
		}
	}
}

func (w *net) put(to distributed.ID, frame []byte) {
	select {
	case w.in[to] <- frame:
	default: // lost
	}
}

// taker is the node behind a link.
type taker struct {
	mu     sync.Mutex
	got    []distributed.Parcel
	failed chan error
	all    chan struct{} // closed when want parcels have come
	want   int
}

func start(t *testing.T, c Carrier, o Options, want int) (*Link, *taker) {
	l := New(c, o)
	k := &taker{failed: make(chan error, 1), all: make(chan struct{}), want: want}
	require.NoError(t, l.Start(k.deliver, func(err error) { k.failed <- err }))
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l, k
}

func (k *taker) deliver(p distributed.Parcel) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.got = append(k.got, p); len(k.got) == k.want {
		close(k.all)
	}
}

func parcel(from, to distributed.ID, stamp int64) distributed.Parcel {
	return distributed.Parcel{Message: distributed.Message{Kind: distributed.Request, From: from, To: to, Who: from, Stamp: stamp}}
}

func options(me distributed.ID, n int) Options {
	return Options{Run: run, Me: me, Nodes: n, Threads: 1, Resend: 8 * time.Millisecond}
}

// Whatever the network does to frames, each node takes each parcel once and those
// of a pair in order.
func TestRepaired(t *testing.T) {
	const n, each = 3, 1000
	w := newNet(n, 0.1)
	links, takers := make([]*Link, n), make([]*taker, n)
	for i := range links {
		links[i], takers[i] = start(t, w.port(distributed.ID(i)), options(distributed.ID(i), n), (n-1)*each)
	}
	var wg sync.WaitGroup
	for i, l := range links {
		wg.Go(func() {
			for s := range int64(each) {
				for j := range distributed.ID(n) {
					if int(j) != i {
						l.Send(parcel(distributed.ID(i), j, s))
					}
				}
			}
		})
	}
	wg.Wait()
	for i, k := range takers {
		<-k.all
		next := make([]int64, n)
		for _, p := range k.got {
			require.Equal(t, next[p.Message.From], p.Message.Stamp, "node %d, from node %d", i, p.Message.From)
			next[p.Message.From]++
		}
		require.Empty(t, k.failed)
		c := links[i].Counts()
		require.Positive(t, c.Resent)
		require.Positive(t, c.Doubled)
		require.Positive(t, c.Gaps)
		require.Zero(t, c.Foreign+c.Malformed+c.Oversized+c.Misaddressed+c.Replayed)
	}
}

// frame returns one of node 1 to node 0, as a process born then writes it.
func frame(born, seq, oldest uint64, to distributed.ID) []byte {
	return (&wire.Frame{Run: run, From: 1, To: to, Born: born, Seq: seq, Oldest: oldest, Parcel: parcel(1, to, int64(seq))}).Append(nil)
}

// What was not expected is dropped and counted.
func TestHostile(t *testing.T) {
	w := newNet(3, 0)
	var told []string
	o := options(0, 3)
	o.Drop = func(err error) { told = append(told, err.Error()) }
	l, k := start(t, w.port(0), o, 2)
	receive := l.receive
	receive(frame(5, 1, 1, 0))
	receive(frame(5, 1, 1, 0)) // again
	receive(frame(4, 2, 1, 0)) // of an earlier process
	receive(frame(5, 2, 1, 2)) // to another node
	receive((&wire.Frame{Run: wire.Run{8}, From: 1, Born: 5}).Append(nil))
	receive([]byte("what is this?"))
	receive(frame(5, 2, 1, 0)[:40])
	receive(make([]byte, wire.MaxFrame+1))
	receive((&wire.Frame{Run: run, From: 1, Born: 5, AckBorn: l.born, Ack: 1}).Append(nil)) // of what was not sent
	receive((&wire.Frame{Run: run, From: 2, Born: 9, Seq: 3, Oldest: 1, Parcel: parcel(2, 0, 3)}).Append(nil))
	receive(frame(5, 2, 1, 0))
	<-k.all
	require.Equal(t, Counts{Doubled: 1, Gaps: 1, Foreign: 2, Malformed: 2, Oversized: 1, Misaddressed: 1, Replayed: 1}, l.Counts())
	require.Contains(t, told, "misaddressed: from node 1 to node 2")
	require.Contains(t, told, "replayed: from an earlier process of node 1")
	require.Contains(t, told, "malformed: node 1 acknowledges what it was not sent")
	require.Empty(t, k.failed)
}

// A gap that nobody can fill, and a node that has begun anew, end the link.
func TestGapThatCannotBeFilled(t *testing.T) {
	for says, frames := range map[string][][]byte{
		"messages 2 to 4 of node 1 are lost: it no longer has them":   {frame(5, 1, 1, 0), frame(5, 6, 5, 0)},
		"node 1 has begun anew: what it had been sent before is lost": {frame(5, 1, 1, 0), frame(6, 1, 1, 0)},
		"messages 1 to 1 of node 1 are lost: it no longer has them":   {frame(5, 2, 2, 0)},
	} {
		w := newNet(2, 0)
		l, k := start(t, w.port(0), options(0, 2), 0)
		for _, f := range frames {
			l.receive(f)
		}
		require.EqualError(t, <-k.failed, says)
		before := len(k.got)
		l.receive(frame(5, 2, 1, 0))
		require.Len(t, k.got, before, "nothing is delivered after it")
	}
}

// Who is not answered has a limit to what it keeps.
func TestLimit(t *testing.T) {
	w := newNet(2, 1) // loses all
	o := options(0, 2)
	o.Limit = 10
	l, k := start(t, w.port(0), o, 0)
	for s := range int64(11) {
		l.Send(parcel(0, 1, s))
	}
	require.ErrorContains(t, <-k.failed, "10 messages to node 1 are without acknowledgement, the first for ")

	// With Forget the other one is as good as crashed: if it is not, it ends.
	w = newNet(2, 1)
	o.Forget = true
	l, _ = start(t, w.port(0), o, 0)
	for s := range int64(11) {
		l.Send(parcel(0, 1, s))
	}
	require.Equal(t, int64(1), l.Counts().Forgotten)
	w.mu.Lock()
	w.bad = 0
	w.mu.Unlock()
	_, late := start(t, w.port(1), options(1, 2), 0)
	require.EqualError(t, <-late.failed, "messages 1 to 1 of node 0 are lost: it no longer has them")
	there := l.Peers()
	require.Len(t, there, 1)
	require.Equal(t, 10, there[0].Unacked)
}

// FuzzReceive: nothing that comes from the network makes a link panic or deliver
// what is no message of another node to this one.
func FuzzReceive(f *testing.F) {
	f.Add(frame(5, 1, 1, 0), frame(5, 2, 1, 0))
	f.Add(frame(5, 1, 1, 0), (&wire.Frame{Run: run, From: 1, Born: 5, AckBorn: 3, Ack: 1, Gap: true}).Append(nil))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		l := New(newNet(2, 0).port(0), options(0, 2))
		l.deliver = func(p distributed.Parcel) {
			if p.Message.To != 0 || p.Message.From != 1 {
				panic(fmt.Sprint(p))
			}
		}
		l.fail = func(error) {}
		l.Send(parcel(0, 1, 1))
		l.receive(first)
		l.receive(second)
	})
}
