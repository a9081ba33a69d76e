package link

import (
	"fmt"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// peer is a link's record of one other node.
type peer struct {
	l  *Link
	id distributed.ID

	in sync.Mutex // held while a parcel is delivered, so that the next one waits

	mu sync.Mutex // the rest

	// the process of the node
	process uint64 // 0: none is met
	mutual  bool   // it has met this process
	counted bool   // the meeting does not wait for the node
	again   bool   // the process was taken back in place of an earlier one
	left    bool   // the process has ended
	done    bool   // it makes no more requests
	heard   time.Time

	// what goes there
	unacked []distributed.Parcel // the first has number base
	base    uint64
	next    uint64        // number of the next to be sent, at most base+len(unacked)
	news    time.Time     // when something was acknowledged, or sent with nothing before it
	backed  time.Time     // when all was last sent again
	wait    time.Duration // for news
	spoke   time.Time     // when anything was sent
	pause   time.Duration // between hellos
	buffer  []byte

	// what comes from there
	taken uint64 // number of the last parcel that was taken
	owed  int    // taken and not yet acknowledged
	gap   bool   // to be told
	early bool   // parcels came before this node had begun
	told  time.Time
}

func newPeer(l *Link, id distributed.ID) *peer {
	now := time.Now()
	return &peer{l: l, id: id, base: 1, next: 1, wait: l.o.Resend, news: now, heard: now}
}

// knows reports whether process is the met process, and whether this node has
// taken it back.
func (p *peer) knows(process uint64) (met, again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	met = p.process == process
	return met, met && p.again
}

// fresh handles a hello that answers a hello of this process.
func (p *peer) fresh(f *wire.Frame, answer func([]byte)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process != f.Process && !p.accept(f, answer) {
		return
	}
	p.heard = time.Now()
	if f.Again {
		p.l.takenBack()
	}
	if f.Met {
		p.knowsMe()
	}
}

// accept decides about a process that is not the met process.
func (p *peer) accept(f *wire.Frame, answer func([]byte)) bool {
	begun, silent := p.l.begun.Load(), time.Since(p.heard)
	switch {
	case p.process == 0:
		p.process, p.news = f.Process, time.Now()
	case begun && (p.l.o.Rejoins == nil || !p.l.o.Rejoins(p.id)):
		p.l.counts.add(1, &p.l.counts.Refused)
		p.l.once(f, "node %d was started again, and is not taken back: the algorithm has no rule for that", p.id)
		p.l.refuse(f, true, fmt.Sprintf("the run has begun with another process as node %d, and the algorithm has no rule to take a restarted node back", p.id), answer)
		return false
	case !p.left && silent < alive:
		p.l.counts.add(1, &p.l.counts.Refused)
		p.l.refuse(f, false, fmt.Sprintf("another process is node %d, and was heard %v ago", p.id, silent.Round(time.Millisecond)), answer)
		return false
	default:
		p.l.once(f, "node %d was started again, and is taken back; %d messages that its earlier process had not taken are lost", p.id, len(p.unacked))
		p.replace(f.Process, begun)
	}
	return true
}

// knowsMe notes that the met process has met this process.
func (p *peer) knowsMe() {
	if !p.mutual {
		p.mutual = true
		if !p.counted {
			p.counted = true
			p.l.mutual(p.id)
		}
		p.flush()
	}
}

// replace puts another process of the node in the place of the met process. All
// parcels to and from the earlier process are void.
func (p *peer) replace(process uint64, again bool) {
	now := time.Now()
	p.process, p.mutual, p.again, p.left, p.done = process, false, again, false, false
	if p.counted && !again {
		p.counted = false
		p.l.parted()
	}
	p.unacked, p.base, p.next = nil, 1, 1
	p.news, p.backed, p.wait = now, time.Time{}, p.l.o.Resend
	p.taken, p.owed, p.gap, p.early = 0, 0, false, false
}

// begin lets the peer take parcels.
func (p *peer) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.early {
		p.gap = true
		p.write(p.frame())
	}
}

// send puts a parcel on its way.
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
		p.l.counts.add(1, &p.l.counts.Forgotten)
	}
	if len(p.unacked) == 0 {
		p.news = time.Now()
	}
	p.unacked = append(p.unacked, parcel)
	p.flush()
}

// forget drops the first n unacknowledged parcels.
func (p *peer) forget(n int) {
	clear(p.unacked[:n])
	p.unacked = p.unacked[n:]
	p.base += uint64(n)
}

// flush sends the parcels that may be under way, if a met process can take them.
func (p *peer) flush() {
	if !p.mutual {
		return
	}
	for end := min(p.base+uint64(len(p.unacked)), p.base+window); p.next < end; p.next++ {
		f := p.frame()
		f.Seq, f.Oldest, f.Parcel = p.next, p.base, p.unacked[p.next-p.base]
		p.write(f)
	}
}

// frame returns a frame that acknowledges the received parcels.
func (p *peer) frame() *wire.Frame {
	f := &wire.Frame{
		Version: wire.Version, Run: p.l.o.Run, From: p.l.o.Me, To: p.id, Process: p.l.process, Other: p.process,
		Ack: p.taken, Gap: p.gap, Done: p.l.over.Load(),
	}
	p.owed, p.gap = 0, false
	return f
}

func (p *peer) write(f *wire.Frame) {
	p.buffer = f.Append(p.buffer[:0])
	p.spoke = time.Now()
	p.l.carrier.Send(p.id, p.buffer)
}

// bye tells the met process that this process ends.
func (p *peer) bye() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == 0 {
		return
	}
	f := p.frame()
	f.Bye = true
	p.write(f)
}

// sendAgain sends all parcels under way again.
func (p *peer) sendAgain(now time.Time) {
	p.l.counts.add(int64(p.next-p.base), &p.l.counts.Resent)
	p.backed, p.next = now, p.base
	p.flush()
}

// tend does all work that is due.
func (p *peer) tend(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.mutual {
		p.hail(now)
		return
	}
	if len(p.unacked) > 0 && now.Sub(p.news) > p.wait && now.Sub(p.backed) > p.wait {
		p.wait = min(2*p.wait, 8*p.l.o.Resend)
		p.sendAgain(now)
	}
	if p.owed > 0 || p.gap || now.Sub(p.spoke) > Silence {
		p.write(p.frame())
	}
}

// hail says hello, at ever longer intervals.
func (p *peer) hail(now time.Time) {
	if now.Sub(p.spoke) < p.pause {
		return
	}
	p.pause = min(max(p.l.o.Resend/4, 3*p.pause/2), Silence)
	f := p.l.hello(p.id)
	f.Reply, f.Other, f.Met = true, p.process, p.process != 0
	p.write(f)
}

// receive handles a valid ordinary frame of this peer.
func (p *peer) receive(f *wire.Frame, answer func([]byte)) {
	p.in.Lock()
	defer p.in.Unlock()
	if p.take(f, answer) {
		p.l.deliver(f.Parcel)
	}
}

// take notes the content of f and reports whether its parcel is the next one.
func (p *peer) take(f *wire.Frame, answer func([]byte)) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.Process != p.process || f.Other != p.l.process {
		p.l.counts.add(1, &p.l.counts.Strange)
		if p.again && f.Process != p.process && f.Other == p.l.process {
			// It was stopped, and does not know that another one is in its place.
			p.l.refuse(f, true, fmt.Sprintf("another process has taken its place as node %d", p.id), answer)
		}
		return false
	}
	p.heard, p.done, p.left = time.Now(), p.done || f.Done, p.left || f.Bye
	p.knowsMe()
	p.acknowledged(f)
	switch {
	case f.Seq == 0:
		return false
	case !p.l.begun.Load():
		p.early = true // the sender hears of it when this node begins
		return false
	case f.Seq <= p.taken:
		p.l.counts.add(1, &p.l.counts.Doubled)
		p.owed++ // the acknowledgement may have been lost
		return false
	case f.Oldest > p.taken+1:
		p.l.breaks(fmt.Errorf("messages %d to %d of node %d are lost: it no longer has them", p.taken+1, f.Oldest-1, p.id))
		return false
	case f.Seq > p.taken+1:
		p.l.counts.add(1, &p.l.counts.Gaps)
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

// acknowledged handles the acknowledgement in f.
func (p *peer) acknowledged(f *wire.Frame) {
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
		p.sendAgain(now)
	}
	p.flush()
}
