package link

import (
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
	in   []chan sent
	late []*sent // by node: a frame that waits to be overtaken
}

// sent is a frame on its way.
type sent struct {
	from  distributed.ID
	frame []byte
}

type port struct {
	*net
	me      distributed.ID
	stopped *sync.WaitGroup
	over    chan struct{}
}

func newNet(n int, bad float64) *net {
	w := &net{rng: rand.New(rand.NewPCG(1, 2)), bad: bad, in: make([]chan sent, n), late: make([]*sent, n)}
	for i := range w.in {
		w.in[i] = make(chan sent, 10_000)
	}
	return w
}

func (w *net) port(i distributed.ID) port {
	return port{w, i, new(sync.WaitGroup), make(chan struct{})}
}

func (p port) Start(receive Receive) error {
	p.stopped.Go(func() {
		for {
			select {
			case s := <-p.in[p.me]:
				receive(s.from, s.frame, func(frame []byte) { p.Send(s.from, frame) })
			case <-p.over:
				return
			}
		}
	})
	return nil
}

func (p port) Close() error {
	close(p.over)
	p.stopped.Wait()
	return nil
}

// Greet reaches all.
func (p port) Greet(frame []byte) {
	for i := range p.in {
		if distributed.ID(i) != p.me {
			p.Send(distributed.ID(i), frame)
		}
	}
}

func (p port) Send(to distributed.ID, frame []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if int(to) >= len(p.in) {
		return
	}
	f := sent{p.me, append([]byte(nil), frame...)}
	switch x := p.rng.Float64(); {
	case x < p.bad: // lost
	case x < 2*p.bad:
		p.put(to, f)
		p.put(to, f)
	case x < 3*p.bad && p.late[to] == nil:
		p.late[to] = &f
	default:
		p.put(to, f)
		if p.late[to] != nil {
			p.put(to, *p.late[to])
			p.late[to] = nil
		}
	}
}

func (w *net) put(to distributed.ID, f sent) {
	select {
	case w.in[to] <- f:
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

func newTaker(want int) *taker {
	return &taker{failed: make(chan error, 1), all: make(chan struct{}), want: want}
}

// start starts a link whose node takes parcels before all have met.
func start(t *testing.T, c Carrier, o Options, want int) (*Link, *taker) {
	l, k := New(c, o), newTaker(want)
	require.NoError(t, l.Meet())
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

func (k *taker) taken() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.got)
}

func parcel(from, to distributed.ID, stamp int64) distributed.Parcel {
	return distributed.Parcel{Message: distributed.Message{Kind: distributed.Request, From: from, To: to, Who: from, Stamp: stamp}}
}

func options(me distributed.ID, n int) Options {
	return Options{Run: run, Me: me, Nodes: n, Threads: 1, Resend: 8 * time.Millisecond, Settings: []wire.Setting{{Name: "-alg", Value: "raymond"}}}
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
		require.Zero(t, c.Foreign+c.Malformed+c.Oversized+c.Misaddressed)
	}
}

// stranger is what plays node 1 to a link of node 0, frame by frame.
type stranger struct {
	l       *Link
	process uint64
	answers []*wire.Frame
}

func (s *stranger) send(t *testing.T, f wire.Frame) {
	if f.Version == 0 {
		f.Version = wire.Version
	}
	f.Run, f.From = run, max(1, f.From)
	if f.Process == 0 {
		f.Process = s.process
	}
	s.l.receive(f.From, f.Append(nil), func(b []byte) {
		answer, err := wire.Parse(b, run, wire.MaxNodes, 1)
		require.NoError(t, err)
		s.answers = append(s.answers, answer)
	})
}

// hello says hello as node 1, as one that has heard of process other.
func (s *stranger) hello(t *testing.T, other uint64) {
	s.send(t, wire.Frame{Kind: wire.Hello, Other: other, Met: other != 0, Reply: true, Settings: s.l.o.Settings})
}

// parcel sends a parcel with the given number.
func (s *stranger) parcel(t *testing.T, seq, oldest uint64) {
	s.send(t, wire.Frame{Other: s.l.process, Seq: seq, Oldest: oldest, Parcel: parcel(1, 0, int64(seq))})
}

// last returns the last answer.
func (s *stranger) last() *wire.Frame {
	if len(s.answers) == 0 {
		return nil
	}
	return s.answers[len(s.answers)-1]
}

// met is a link of node 0 that has met a stranger as node 1.
func met(t *testing.T, o Options, want int) (*stranger, *taker) {
	o.Resend = time.Nanosecond // every hello is answered
	l, k := New(newNet(o.Nodes, 0).port(0), o), newTaker(want)
	l.deliver, l.fail = k.deliver, func(err error) { k.failed <- err }
	s := &stranger{l: l, process: 5}
	s.hello(t, 0)
	require.Equal(t, l.process, s.last().Process)
	require.Equal(t, uint64(5), s.last().Other)
	require.False(t, s.last().Met, "an old hello changes nothing")
	s.hello(t, l.process)
	require.True(t, s.last().Met)
	require.NoError(t, l.Start(k.deliver, l.fail))
	return s, k
}

// What was not expected is dropped and counted.
func TestHostile(t *testing.T) {
	o := options(0, 3)
	var told []string
	o.Drop = func(err error) { told = append(told, err.Error()) }
	o.Check = func(m distributed.Message) error { return distributed.Plain(distributed.Request).Check(m, 3) }
	s, k := met(t, o, 2)
	l := s.l
	raw := func(b []byte) { l.receive(1, b, nil) }
	s.parcel(t, 1, 1)
	s.parcel(t, 1, 1)                                                                                                    // again
	s.send(t, wire.Frame{Process: 4, Other: l.process, Seq: 2, Oldest: 1, Parcel: parcel(1, 0, 2)})                      // of another process
	s.send(t, wire.Frame{Process: 6, Other: l.process, Seq: 2, Oldest: 1, Parcel: parcel(1, 0, 2)})                      // likewise
	s.send(t, wire.Frame{Other: l.process + 1, Seq: 2, Oldest: 1, Parcel: parcel(1, 0, 2)})                              // to another process
	s.send(t, wire.Frame{To: 2, Other: l.process, Seq: 2, Oldest: 1, Parcel: parcel(1, 2, 2)})                           // to another node
	s.send(t, wire.Frame{From: 2, Other: l.process, Seq: 2, Oldest: 1, Parcel: parcel(2, 0, 2)})                         // of a node that is not met
	l.receive(2, (&wire.Frame{Version: wire.Version, Run: run, From: 1, Process: 5, Other: l.process}).Append(nil), nil) // in the name of node 1
	raw((&wire.Frame{Version: wire.Version, Run: wire.Run{8}, From: 1, Process: 5}).Append(nil))
	raw([]byte("what is this?"))
	raw((&wire.Frame{Version: wire.Version, Run: run, From: 1, Process: 5, Other: l.process, Seq: 2, Oldest: 1, Parcel: parcel(1, 0, 2)}).Append(nil)[:40])
	raw(make([]byte, wire.MaxFrame+1))
	s.send(t, wire.Frame{Other: l.process, Ack: 1}) // of what was not sent
	s.send(t, wire.Frame{Kind: wire.Refusal, Other: l.process + 1, Final: true, Reason: "forged by who has not heard this process"})
	alien := parcel(1, 0, 2)
	alien.Message.Kind = distributed.Grant
	s.send(t, wire.Frame{Other: l.process, Seq: 2, Oldest: 1, Parcel: alien}) // of no kind that the algorithm has
	s.parcel(t, 3, 1)                                                         // before the second
	s.parcel(t, 2, 1)
	<-k.all
	require.Equal(t, Counts{Doubled: 1, Gaps: 1, Foreign: 2, Malformed: 3, Oversized: 1, Misaddressed: 3, Strange: 4}, l.Counts())
	require.Contains(t, told, "misaddressed: from node 1 to node 2")
	require.Contains(t, told, "misaddressed: node 2 says that it is node 1")
	require.Contains(t, told, "malformed: node 1 acknowledges what it was not sent")
	require.Contains(t, told, "malformed: node 1 sends a message of kind grant, which this algorithm does not have")
	require.Empty(t, k.failed)
	require.Equal(t, 2, k.taken())
}

// A gap that no node can fill ends the link.
func TestGapThatCannotBeFilled(t *testing.T) {
	for says, parcels := range map[string][][2]uint64{
		"messages 2 to 4 of node 1 are lost: it no longer has them": {{1, 1}, {6, 5}},
		"messages 1 to 1 of node 1 are lost: it no longer has them": {{2, 2}},
	} {
		s, k := met(t, options(0, 2), 0)
		for _, p := range parcels {
			s.parcel(t, p[0], p[1])
		}
		require.EqualError(t, <-k.failed, says)
		before := k.taken()
		s.parcel(t, 2, 1)
		require.Equal(t, before, k.taken(), "nothing is delivered after it")
	}
}

// A node without answers keeps a limited number of parcels.
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

// A number that no other node would take ends the link with a word.
func TestNumberOutOfRange(t *testing.T) {
	l, k := start(t, newNet(2, 0).port(0), options(0, 2), 0)
	p := parcel(0, 1, 1)
	p.Fence.Count = wire.MaxNumber + 1
	l.Send(p)
	require.ErrorContains(t, <-k.failed, "has grown beyond 9007199254740992")
}

// FuzzReceive: nothing that comes from the network makes a link panic or deliver
// what is no message of another node to this one, whether it has met that node or not.
func FuzzReceive(f *testing.F) {
	frame := func(f wire.Frame) []byte {
		f.Version, f.Run, f.From, f.Process = wire.Version, run, 1, 5
		return f.Append(nil)
	}
	for _, seq := range []uint64{1, 2, 3} {
		f.Add(frame(wire.Frame{Other: 3, Seq: seq, Oldest: 1, Parcel: parcel(1, 0, 1)}), frame(wire.Frame{Other: 3, Seq: 2, Oldest: seq, Parcel: parcel(1, 0, 2)}))
	}
	f.Add(frame(wire.Frame{Other: 3, Ack: 1, Gap: true, Done: true, Bye: true}), frame(wire.Frame{Kind: wire.Refusal, Other: 3, Reason: "so"}))
	f.Add(frame(wire.Frame{Kind: wire.Hello, Other: 3, Met: true, Again: true, Reply: true, Settings: options(0, 2).Settings}), frame(wire.Frame{Kind: wire.Hello, Other: 3}))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		for _, acquainted := range []bool{false, true} {
			o := options(0, 2)
			o.Rejoins = func(distributed.ID) bool { return true }
			l := New(newNet(2, 0).port(0), o)
			l.process = 3
			if p := l.peers[1]; acquainted {
				p.process, p.heard = 5, time.Now().Add(-time.Hour)
			}
			l.Start(func(p distributed.Parcel) {
				if p.Message.To != 0 || p.Message.From != 1 {
					t.Fatal(p)
				}
			}, func(error) {})
			l.Send(parcel(0, 1, 1))
			answer := func([]byte) {}
			l.receive(1, first, answer)
			l.receive(1, second, answer)
			l.Peers()
		}
	})
}
