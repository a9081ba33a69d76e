package link

import (
	"fmt"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// peer is what a link knows of one other node.
type peer struct {
	l  *Link
	id distributed.ID

	in sync.Mutex // held while a parcel is delivered, so that the next one waits

	mu sync.Mutex // the rest

	// what goes there
	unacked []distributed.Parcel // of which the first has number base
	base    uint64
	next    uint64        // number of the next to be sent, at most base+len(unacked)
	news    time.Time     // when something was acknowledged, or sent with nothing before it
	backed  time.Time     // when all was last sent again
	wait    time.Duration // for news
	spoke   time.Time     // when anything was sent
	buffer  []byte

	// what comes from there
	born  uint64 // 0: nothing has come
	taken uint64 // number of the last parcel that was taken
	owed  int    // taken and not yet acknowledged
	gap   bool   // to be told
	done  bool   // it asks for nothing any more
	told  time.Time
	heard time.Time
}

func newPeer(l *Link, id distributed.ID) *peer {
	now := time.Now()
	return &peer{l: l, id: id, base: 1, next: 1, wait: l.o.Resend, news: now, spoke: now, heard: now}
}

// send puts p on its way.
func (p *peer) send(parcel distributed.Parcel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.unacked) >= p.l.o.Limit {
		if !p.l.o.Forget {
			p.l.breaks(fmt.Errorf("%d messages to node %d are without acknowledgement, the first for %v: there is no room for more",
				len(p.unacked), p.id, time.Since(p.news).Round(time.Millisecond)))
			return
		}
		p.forget(1)
		p.next = max(p.next, p.base)
		p.l.counts.forgotten.Add(1)
	}
	if len(p.unacked) == 0 {
		p.news = time.Now()
	}
	p.unacked = append(p.unacked, parcel)
	p.flush()
}

// forget drops the first n of what is not acknowledged.
func (p *peer) forget(n int) {
	clear(p.unacked[:n])
	p.unacked = p.unacked[n:]
	p.base += uint64(n)
}

// flush sends what there is and may be under way.
func (p *peer) flush() {
	for end := min(p.base+uint64(len(p.unacked)), p.base+window); p.next < end; p.next++ {
		f := p.frame()
		f.Seq, f.Oldest, f.Parcel = p.next, p.base, p.unacked[p.next-p.base]
		p.write(f)
	}
}

// frame returns one that acknowledges what has come.
func (p *peer) frame() *wire.Frame {
	f := &wire.Frame{Run: p.l.o.Run, From: p.l.o.Me, To: p.id, Born: p.l.born, AckBorn: p.born, Ack: p.taken, Gap: p.gap, Done: p.l.over.Load()}
	p.owed, p.gap = 0, false
	return f
}

func (p *peer) write(f *wire.Frame) {
	p.buffer = f.Append(p.buffer[:0])
	p.spoke = time.Now()
	p.l.carrier.Send(p.id, p.buffer)
}

// again sends all again that is under way.
func (p *peer) again(now time.Time) {
	p.l.counts.resent.Add(int64(p.next - p.base))
	p.backed, p.next = now, p.base
	p.flush()
}

// tend does what is due.
func (p *peer) tend(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.unacked) > 0 && now.Sub(p.news) > p.wait && now.Sub(p.backed) > p.wait {
		p.wait = min(2*p.wait, 8*p.l.o.Resend)
		p.again(now)
	}
	if p.owed > 0 || p.gap || p.born == 0 || now.Sub(p.spoke) > Silence {
		p.write(p.frame())
	}
}

// receive takes a sound frame of this peer.
func (p *peer) receive(f *wire.Frame) {
	p.in.Lock()
	defer p.in.Unlock()
	if p.take(f) {
		p.l.deliver(f.Parcel)
	}
}

// take notes what f says and reports whether its parcel is the next one.
func (p *peer) take(f *wire.Frame) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.born == 0:
		p.born = f.Born
		p.write(p.frame()) // so that it has heard of this node, too
	case f.Born < p.born:
		p.l.drop(fmt.Errorf("%w: from an earlier process of node %d", errReplayed, p.id))
		return false
	case f.Born > p.born:
		p.l.breaks(fmt.Errorf("node %d has begun anew: what it had been sent before is lost", p.id))
		return false
	}
	p.heard, p.done = time.Now(), p.done || f.Done
	p.acknowledged(f)
	switch {
	case f.Seq == 0:
		return false
	case f.Seq <= p.taken:
		p.l.counts.doubled.Add(1)
		p.owed++ // the acknowledgement may have been lost
		return false
	case f.Oldest > p.taken+1:
		p.l.breaks(fmt.Errorf("messages %d to %d of node %d are lost: it no longer has them", p.taken+1, f.Oldest-1, p.id))
		return false
	case f.Seq > p.taken+1:
		p.l.counts.gaps.Add(1)
		p.gap = true
		if now := time.Now(); now.Sub(p.told) > p.l.o.Resend/8 { // else it is soon
			p.told = now
			p.write(p.frame())
		}
		return false
	}
	p.taken++
	if p.owed++; p.owed >= often {
		p.write(p.frame())
	}
	return true
}

// acknowledged takes the acknowledgement in f.
func (p *peer) acknowledged(f *wire.Frame) {
	if f.AckBorn != p.l.born {
		return
	}
	if f.Ack >= p.base+uint64(len(p.unacked)) {
		p.l.drop(fmt.Errorf("%w: node %d acknowledges what it was not sent", wire.ErrMalformed, p.id))
		return
	}
	now := time.Now()
	if f.Ack >= p.base {
		p.forget(int(f.Ack - p.base + 1))
		p.next = max(p.next, p.base)
		p.news, p.wait = now, p.l.o.Resend
	}
	if f.Gap && p.next > p.base && now.Sub(p.backed) > p.l.o.Resend/8 {
		p.again(now)
	}
	p.flush()
}
