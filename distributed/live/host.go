package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"shmbench/distributed"
)

// host is one node with its goroutine.
type host struct {
	id        distributed.ID
	node      distributed.Node
	nodes     int
	transport distributed.Transport
	box       mailbox
	done      <-chan struct{} // closed when the node is to end

	out     distributed.Out
	fence   distributed.Fence
	clock   func() int64 // nil: none
	delay   func(distributed.Kind, time.Duration)
	threads []thread
	tick    time.Duration
	timers  map[distributed.TimerID]int // the setting that counts, 0 for none
	setting int

	recover bool               // the node recovers instead of starting
	keeper  distributed.Keeper // nil: it keeps nothing
	keep    func([]int64) error
	kept    []int64

	handles  bool                // a message, at the moment
	handling distributed.Message // then

	sent  [distributed.Kinds]atomic.Int64
	taken atomic.Int64
}

// thread is the host's record of one of its threads.
type thread struct {
	granted chan Permission // holds at most one permission
	revoked chan struct{}   // of the last permission; closed when the node takes it back
	over    bool            // the node has taken the permission back, and a release of it no longer counts
	local   time.Duration   // the time for which its request was on its way
}

func newHost(id distributed.ID, node distributed.Node, nodes, threads int, tick time.Duration, t distributed.Transport, done <-chan struct{}) *host {
	h := &host{id: id, node: node, nodes: nodes, transport: t, done: done, threads: make([]thread, threads), tick: tick, timers: map[distributed.TimerID]int{}}
	h.box.init()
	for t := range h.threads {
		h.threads[t].granted = make(chan Permission, 1)
	}
	return h
}

// stable sets how the node recovers from a crash, and what it keeps for that.
func (h *host) stable(o Options) error {
	h.recover, h.keep = o.Recover, o.Keep
	keeper, keeps := distributed.Unwrapped(h.node).(distributed.Keeper)
	switch {
	case !keeps:
		return nil
	case o.Recover:
		if err := keeper.Restore(o.Kept); err != nil {
			return fmt.Errorf("what the node has kept: %w", err)
		}
	}
	if h.keep != nil {
		h.keeper = keeper
	}
	return nil
}

// run is the node's goroutine.
func (h *host) run() {
	if h.recover {
		distributed.Unwrapped(h.node).(distributed.Recoverer).Recover(&h.out)
	} else {
		h.node.Start(&h.out)
	}
	h.carryOut()
	for {
		ev, ok := h.box.take()
		if !ok {
			return
		}
		switch ev.kind {
		case message:
			h.fence = h.fence.Max(ev.parcel.Fence)
			if h.delay != nil && ev.parcel.Sent != 0 {
				h.delay(ev.parcel.Message.Kind, time.Duration(h.clock()-ev.parcel.Sent))
			}
			h.handles, h.handling = true, ev.parcel.Message
			h.node.Receive(ev.parcel.Message, &h.out)
			h.handles = false
		case request:
			h.threads[ev.thread].local = time.Duration(h.now() - ev.at)
			h.node.Request(ev.thread, &h.out)
		case release:
			if h.threads[ev.thread].over {
				continue // its permission has been taken back
			}
			h.node.Release(ev.thread, &h.out)
		case expiry:
			if h.timers[ev.timer] != ev.setting {
				continue // canceled or set anew
			}
			h.timers[ev.timer] = 0
			h.fence = h.fence.Lapsed()
			h.node.Expire(ev.timer, &h.out)
		case look:
			ev.look(h.node)
		}
		h.carryOut()
		if ev.kind == message {
			h.taken.Add(1)
		}
	}
}

// broken returns the error of a node whose event has panicked.
func (h *host) broken(panicked any) error {
	if !h.handles {
		return fmt.Errorf("node %d %w: %v", h.id, ErrBrokeDown, panicked)
	}
	text := h.handling.String()
	const most = 200 // of a body that may be long
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Errorf("node %d %w on message %s: %v", h.id, ErrBrokeDown, text, panicked)
}

// tally returns how many messages the node has sent so far.
func (h *host) tally() (sent distributed.Tally) {
	for k := range sent {
		sent[k] = h.sent[k].Load()
	}
	return sent
}

// now reads the clock; 0: there is none.
func (h *host) now() int64 {
	if h.clock == nil {
		return 0
	}
	return h.clock()
}

// carryOut carries out the answers in h.out.
func (h *host) carryOut() {
	if h.keeper != nil {
		if kept := h.keeper.Kept(); !slices.Equal(kept, h.kept) {
			if err := h.keep(kept); err != nil {
				panic(fmt.Sprintf("its state cannot be kept: %v", err))
			}
			h.kept = kept
		}
	}
	var now int64
	if len(h.out.Messages) > 0 {
		now = h.now()
	}
	for _, m := range h.out.Messages {
		if m.To == h.id || m.To < 0 || int(m.To) >= h.nodes {
			panic(fmt.Sprintf("it sends node %d a message", m.To))
		}
		h.sent[m.Kind].Add(1)
		h.transport.Send(distributed.Parcel{Message: m, Fence: h.fence, Sent: now})
	}
	for _, t := range h.out.Revoked {
		if !h.threads[t].over {
			h.threads[t].over = true
			close(h.threads[t].revoked)
		}
	}
	for _, t := range h.out.Grants {
		h.grant(&h.threads[t], t)
	}
	for _, t := range h.out.Timers {
		h.set(t)
	}
	h.out.Reset()
}

func (h *host) grant(th *thread, t distributed.Thread) {
	h.fence = h.fence.Next(h.node)
	th.revoked, th.over = make(chan struct{}), false
	select {
	case th.granted <- Permission{h.fence, th.revoked, th.local, h.now()}:
	default:
		panic(fmt.Sprintf("live: node %d let thread %d enter twice", h.id, t))
	}
}

func (h *host) set(t distributed.Timer) {
	if t.After <= 0 {
		h.timers[t.ID] = 0
		return
	}
	h.setting++
	h.timers[t.ID] = h.setting
	ev := event{kind: expiry, timer: t.ID, setting: h.setting}
	time.AfterFunc(time.Duration(t.After)*h.tick, func() { h.box.put(ev) })
}

// ErrBrokeDown is wrapped by the error of a node whose algorithm has panicked or let a
// thread enter twice. A broken algorithm causes this, and so can a message from outside
// to a correct algorithm.
var ErrBrokeDown = errors.New("broke down")

var errClosed = errors.New("lock of a system that is closed")

// lock makes a request for thread t and waits until it may enter.
func (h *host) lock(ctx context.Context, t distributed.Thread) (Permission, error) {
	h.box.put(event{kind: request, thread: t, at: h.now()})
	select {
	case p := <-h.threads[t].granted:
		p.Local += time.Duration(h.now() - p.granted)
		return p, nil
	case <-h.done:
		return Permission{}, errClosed
	case <-ctx.Done():
		return Permission{}, ctx.Err()
	}
}

func (h *host) unlock(t distributed.Thread) { h.box.put(event{kind: release, thread: t}) }
