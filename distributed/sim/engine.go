package sim

import (
	"context"
	"fmt"
	"math"
	"time"

	"shmbench/distributed"
)

// engine is one run. Times are nanoseconds since its start.
type engine struct {
	o       *Options
	n, m    int
	nodes   []distributed.Node
	holders []distributed.Holder // the nodes, where there are several locks
	written distributed.Resource // what the threads inside write to, if there is such a thing
	acts    distributed.ID       // the node that is computing; None: the engine is
	out     distributed.Out

	now   int64
	queue queue
	slab  []event // slot n+i of the queue is slab[i]; slot i < n is an arrival at node i
	free  []int32
	room  int // the most that slab may hold

	arrivals, choice, delays, sections, moves stream

	network
	faults
	threads
	timers []nodeTimers
	meter  meter

	patience int64
	stallAt  int64 // when patience ends, if a thread waits until then
	end      End
	detail   string
}

// event is what a slot of the queue at n and above stands for. Only messages
// use msg whole; the others borrow its fields To (the node) and Thread.
type event struct {
	kind eventKind
	gen  uint32 // arrival, leaving: the node's incarnation; timer: its setting
	msg  distributed.Message
}

type eventKind uint8

const (
	arrival eventKind = iota // of a message
	leaving                  // thread msg.Thread of node msg.To leaves
	moving                   // a thread comes to node msg.To
	expiry                   // timer msg.Thread of node msg.To
	planned                  // Options.Faults[msg.Thread]
	crash                    // node msg.To crashes at random
	repair                   // and restarts
	cut                      // the network parts at random
	heal                     // and is whole again
	horizon                  // Options.Until
)

func newEngine(o *Options) (*engine, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Algorithm.Apart {
		o.System.Server = true
	}
	nodes, err := o.Algorithm.New(o.System)
	if err != nil {
		return nil, err
	}
	if _, can := distributed.Unwrapped(nodes[0]).(distributed.Recoverer); !can {
		for _, f := range o.Faults {
			if f.Kind == Restart {
				return nil, fmt.Errorf("restart of node %d at %v: %s has no rule for a restart", f.Node, f.At, o.Algorithm.Name)
			}
		}
		if o.Random.Repair > 0 {
			return nil, fmt.Errorf("restarts %v after a crash: %s has no rule for a restart", o.Random.Repair, o.Algorithm.Name)
		}
	}
	n := o.System.Nodes
	e := &engine{
		o: o, n: n, m: o.System.Threads, nodes: nodes, acts: distributed.None, room: room(n, o.System.Threads),
		arrivals: newStream(o.Seed, forArrivals),
		choice:   newStream(o.Seed, forThreads),
		delays:   newStream(o.Seed, forDelays),
		sections: newStream(o.Seed, forSections),
		moves:    newStream(o.Seed, forMoves),
		network:  newNetwork(o),
		faults:   newFaults(o),
		threads:  newThreads(o.System),
		timers:   make([]nodeTimers, n),
		patience: int64(o.patience()),
		stallAt:  math.MaxInt64,
	}
	for _, p := range nodes {
		if h, several := p.(distributed.Holder); several {
			e.holders = append(e.holders, h)
		}
	}
	e.written, _ = distributed.Unwrapped(nodes[0]).(distributed.Resource)
	e.meter = newMeter(o)
	return e, nil
}

// room is how many events may be pending: what n nodes of m threads that all
// broadcast several times at once need, and plenty where they are few. More is a
// network in which messages breed.
func room(n, m int) int { return min(maxSlots-n, max(100_000, 20*n*(n+m))) }

// holds returns the locks that thread t of node i holds; nil: there is one.
func (e *engine) holds(i distributed.ID, t distributed.Thread) []uint16 {
	if e.holders == nil {
		return nil
	}
	return e.holders[i].Holds(t)
}

// node returns node i, which the engine lets compute.
func (e *engine) node(i distributed.ID) distributed.Node {
	e.acts = i
	return e.nodes[i]
}

// panicked, deferred, ends the run if a node panics: the node broke the contract, or it
// requires more of the network than the network promises.
func (e *engine) panicked() {
	if e.acts == distributed.None {
		return
	}
	if r := recover(); r != nil {
		e.violate(fmt.Sprintf("node %d panicked: %v", e.acts, r))
	}
}

// start plays what comes before the first event.
func (e *engine) start() {
	defer e.panicked()
	for i := range e.n {
		e.node(distributed.ID(i)).Start(&e.out)
		e.carryOut(distributed.ID(i))
	}
	if e.o.Until > 0 {
		e.schedule(int64(e.o.Until), event{kind: horizon})
	}
	e.startFaults()
	e.startLoad()
}

// play plays events until something ends the run or there were so many.
func (e *engine) play(ctx context.Context, events int64) {
	defer e.panicked()
	for e.end == running && e.meter.events < events {
		if e.meter.events&0xfff == 0 && ctx.Err() != nil {
			e.end = Cancelled
			return
		}
		if len(e.queue.items) == 0 {
			e.finishEmpty()
			return
		}
		x := e.queue.pop()
		e.now = x.at
		if e.now > e.stallAt && e.waiting > 0 {
			e.finishStalled()
			return
		}
		if e.now > clockEnd {
			e.finishTime(clockEnd)
			return
		}
		e.meter.events++
		if s := x.slot(); s < e.n {
			e.arrive(distributed.ID(s))
		} else {
			e.dispatch(int32(s - e.n))
		}
	}
}

// dispatch plays the event in slab[i].
func (e *engine) dispatch(i int32) {
	ev := &e.slab[i]
	to := ev.msg.To
	switch ev.kind {
	case arrival:
		m := ev.msg
		ev.msg.Body = nil
		e.free = append(e.free, i)
		if e.down[to] || ev.gen != e.incarnation[to] || e.severs(m.From, to) {
			e.meter.lost++
			return
		}
		e.node(to).Receive(m, &e.out)
		e.carryOut(to)
		if m.Kind == distributed.Write && e.written != nil {
			if err := e.written.Intact(); err != nil {
				e.violate(err.Error())
			}
		}
		return
	case leaving:
		thread, gen, entry := ev.msg.Thread, ev.gen, ev.msg.Stamp
		e.free = append(e.free, i)
		if gen == e.incarnation[to] && e.leaves(to, thread, entry) {
			e.leave(to, thread)
		}
		return
	}
	rare := *ev
	e.free = append(e.free, i)
	e.rare(rare)
}

// rare plays an event that is neither an arrival nor a leaving.
func (e *engine) rare(ev event) {
	to := ev.msg.To
	switch ev.kind {
	case expiry:
		if id, live := e.timers[to].expire(ev); live {
			e.node(to).Expire(id, &e.out)
			e.carryOut(to)
		}
	case moving:
		e.come(to)
	case planned:
		e.played[ev.msg.Thread] = true
		e.plannedFault(e.o.Faults[ev.msg.Thread])
	case horizon:
		e.finishTime(e.o.Until)
	default:
		e.randomFault(ev)
	}
}

// schedule puts ev into the queue at time at.
func (e *engine) schedule(at int64, ev event) {
	var i int32
	if k := len(e.free); k > 0 {
		i = e.free[k-1]
		e.free = e.free[:k-1]
	} else {
		if len(e.slab) >= e.room {
			e.end = Flooded
			e.detail = fmt.Sprintf("at %v there were %d messages under way", time.Duration(e.now), len(e.slab))
			return
		}
		i = int32(len(e.slab))
		e.slab = append(e.slab, event{})
	}
	e.slab[i] = ev
	e.queue.push(at, e.n+int(i))
}

// carryOut does what node wrote to e.out and empties it.
func (e *engine) carryOut(node distributed.ID) {
	e.acts = distributed.None
	if e.crashSending[node] && len(e.out.Messages) > 1 {
		e.crashHalfway(node)
		return
	}
	for i := range e.out.Messages {
		e.send(&e.out.Messages[i])
	}
	var out []distributed.Thread
	for _, t := range e.out.Revoked {
		if e.putOut(node, t) {
			out = append(out, t)
		}
	}
	for _, t := range e.out.Grants {
		e.enter(node, t)
	}
	for _, t := range e.out.Timers {
		if !e.down[node] { // CrashInside may have hit the thread that has just entered
			e.setTimer(node, t)
		}
	}
	e.out.Reset()
	for _, t := range out {
		e.ask(node, t)
	}
}

// send puts a message on its way.
func (e *engine) send(m *distributed.Message) {
	if m.To == m.From || m.To < 0 || int(m.To) >= e.n {
		e.violate(fmt.Sprintf("node %d sent to node %d: %v", m.From, m.To, *m))
		return
	}
	e.meter.sent(m, e.waiting > 0 || len(e.inside) > 0)
	delay, copies := e.o.delay(m.Kind), 1
	if e.unreliable {
		copies = e.network.copies(m, &e.meter)
	}
	for c := range copies {
		at := e.now + int64(delay.draw(&e.delays))
		if !e.o.Overtaking {
			at = e.pairs.inOrder(e.now, at, int32(m.From), int32(m.To))
		}
		sent := event{kind: arrival, gen: e.incarnation[m.To], msg: *m}
		if c > 0 {
			sent.msg = m.Clone()
		}
		e.schedule(at, sent)
	}
}
