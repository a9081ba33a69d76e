package live

import (
	"fmt"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// host is one node with its goroutine.
type host struct {
	system  *System
	id      distributed.ID
	node    distributed.Node
	in      chan event
	backlog fifo.Queue[event] // taken from in while the node was sending
	out     distributed.Out
	granted []chan struct{} // by thread
	tick    time.Duration
	timers  map[distributed.TimerID]int // the setting that counts, 0 for none
	setting int
}

// event is what a node takes.
type event struct {
	kind    eventKind
	thread  distributed.Thread
	timer   distributed.TimerID
	setting int
	message distributed.Message
}

type eventKind uint8

const (
	message eventKind = iota
	request
	release
	expiry
)

// inbox is how many events may wait in a node's channel before whoever posts
// one waits.
const inbox = 64

func newHost(s *System, id distributed.ID, node distributed.Node, threads int, tick time.Duration) *host {
	h := &host{
		system: s, id: id, node: node, in: make(chan event, inbox), granted: make([]chan struct{}, threads),
		tick: tick, timers: map[distributed.TimerID]int{},
	}
	for t := range h.granted {
		h.granted[t] = make(chan struct{}, 1)
	}
	return h
}

// run is the node's goroutine.
func (h *host) run() {
	h.node.Start(&h.out)
	h.carryOut()
	for {
		var ev event
		if h.backlog.Len() > 0 { // older than what in holds
			ev = h.backlog.Pop()
		} else {
			select {
			case ev = <-h.in:
			case <-h.system.done:
				return
			}
		}
		switch ev.kind {
		case message:
			h.node.Receive(ev.message, &h.out)
		case request:
			h.node.Request(ev.thread, &h.out)
		case release:
			h.node.Release(ev.thread, &h.out)
		case expiry:
			if h.timers[ev.timer] != ev.setting {
				continue // cancelled or set anew
			}
			h.timers[ev.timer] = 0
			h.node.Expire(ev.timer, &h.out)
		}
		if !h.carryOut() {
			return
		}
	}
}

// carryOut does what the node wrote to h.out and reports whether the system
// goes on.
func (h *host) carryOut() bool {
	for _, m := range h.out.Messages {
		h.system.sent.Add(1)
		if !h.send(m) {
			return false
		}
	}
	for _, t := range h.out.Grants {
		select {
		case h.granted[t] <- struct{}{}:
		default:
			panic(fmt.Sprintf("live: node %d let thread %d enter twice", h.id, t))
		}
	}
	for _, t := range h.out.Timers {
		h.set(t)
	}
	h.out.Reset()
	return true
}

// send posts m to its receiver. Meanwhile it empties its own channel into the
// backlog: of nodes that send to each other in a circle none waits for ever.
func (h *host) send(m distributed.Message) bool {
	ev := event{kind: message, message: m}
	to := h.system.hosts[m.To].in
	for {
		select {
		case to <- ev:
			return true
		case mine := <-h.in:
			h.backlog.Push(mine)
		case <-h.system.done:
			return false
		}
	}
}

// post puts ev into the node's channel, from another goroutine.
func (h *host) post(ev event) {
	select {
	case h.in <- ev:
	case <-h.system.done:
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
	time.AfterFunc(time.Duration(t.After)*h.tick, func() { h.post(ev) })
}
