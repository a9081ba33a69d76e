// Package lease has mutual exclusion by a register that all nodes can reach in spite of a
// cut. Its permissions expire, and its resource refuses late writes.
package lease

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/internal/fifo"
)

// Register is the specification of [register].
var Register = distributed.Algorithm{
	Name:   "lease-register",
	Title:  "Register that all reach, with leases and fencing tokens",
	Source: "Cary G. Gray, David R. Cheriton, Leases, SOSP 1989, pp. 202–210; fencing tokens: the sequencers of Mike Burrows, The Chubby Lock Service, OSDI 2006, pp. 335–350",
	Family: distributed.Central,
	Server: true, Apart: true, Lease: true,
	Claims: distributed.Claims{
		FIFO: true, Timely: true, DeadlockFree: true, StarvationFree: true,
		Survives: "crashes and restarts of all but the register, every partition, and a thread that never leaves",
		Crash:    true, Restart: true, Hang: true,
		Wins: func(*distributed.View, distributed.ID) bool { return true }, // every node reaches the register
	},
	Cost: distributed.Cost{
		Messages:   "3, and 1 for a write to the resource",
		Idle:       messages,
		Busy:       messages,
		Wait:       func(distributed.Config) (float64, float64) { return 2, 2 },
		Throughput: func(distributed.Config) (float64, float64) { return 0.5, 0.5 },
		Share:      func(distributed.Config) (float64, float64) { return 1, 1 },
		SyncDelay:  "2",
		Sync:       func(distributed.Config) (float64, float64) { return 2, 2 },
	},
	Invariants: []distributed.Invariant{distributed.Intact("writes in order", "Burrows 2006, section 2.4, on sequencers")},
	Forms:      distributed.Plain(distributed.Request, distributed.Grant, distributed.Release, distributed.Write, distributed.Stale),
	New: func(c distributed.Config) ([]distributed.Node, error) {
		return c.Build(func(i distributed.ID) distributed.Node { return newRegister(i, c.LeaseTicks()) })
	},
}

func messages(distributed.Config) (least, most float64) { return 4, 4 }

const theRegister distributed.ID = 0

const (
	timerLease  distributed.TimerID = iota // the permission runs out: the client's end of it, or the register's
	timerWrites                            // writes of before arrive late
)

// lateness is the number of ticks after which a thread that had to leave still
// writes. By then the next thread has entered and written.
const lateness = 4

// register is a client of the register, node 0. On node 0 it is also the register,
// and the resource, which knows nothing of the register.
//
// Messages: Request, Grant, Release, Write, Stale; all but the first with Stamp: the
// token.
//
// Mutual exclusion holds as long as a message takes at most a tick, clocks run at the
// same rate and a thread that must leave does so. The register grants one request at
// a time, and its lease ends after the client's. It serves requests
// first-come-first-served, so no process starves. A client that crashes or hangs
// delays the others by the rest of its lease. With a thread that does not leave, or a
// message that takes longer, two threads are in the critical section. The resource
// stays correct even then: it accepts no write after a write with a later token. The
// messages of a pair must arrive in order. Otherwise a write can arrive after its own
// release, and the resource may refuse it.
//
//	request:  send REQUEST to the register                                 R1
//	REQUEST:  enqueue the sender; serve                                    Q1
//	serve:    unless it has an owner: dequeue; token++;                    Q2
//	          send GRANT(token); set the lease to L+2 ticks                Q3
//	GRANT(f): not asked for: send RELEASE(f)                               G1
//	          else enter; set the lease to L ticks; send WRITE(f)          G2
//	release:  send RELEASE(f) to the register                              L1
//	RELEASE(f): of the owner: it is free; serve                            Q4
//	lease at the register: it is free; serve                               Q5
//	lease at the client: the thread must leave; send RELEASE(f); it        L2
//	          may write yet: after 4 ticks send WRITE(f)                   L3
//	WRITE(f): f < high: send STALE(f) else high := f; write                S1
//	recovery: of a client: no request, no process in its critical section  V1
type register struct {
	me    distributed.ID
	lease int32
	local distributed.LocalQueue
	token int64   // 0 while not inside
	late  []int64 // the tokens of writes that come late

	// the register's
	owner  distributed.ID
	latest int64 // token given out
	queue  fifo.Queue[distributed.ID]

	// the resource's
	high int64 // the latest token that has written
	last int64 // the token of the last write
}

func newRegister(i distributed.ID, lease int32) *register {
	return &register{me: i, lease: lease, owner: distributed.None}
}

func (p *register) Start(*distributed.Out) {}

func (p *register) tell(j distributed.ID, k distributed.Kind, token int64, out *distributed.Out) {
	out.Send(distributed.Message{Kind: k, From: p.me, To: j, Who: p.me, Stamp: token})
}

func (p *register) Request(t distributed.Thread, out *distributed.Out) {
	if p.local.Add(t) {
		p.tell(theRegister, distributed.Request, 0, out) // R1
	}
}

func (p *register) Release(_ distributed.Thread, out *distributed.Out) {
	out.Cancel(timerLease)
	p.left(out) // L1
}

// left notes that this node's thread has left.
func (p *register) left(out *distributed.Out) {
	p.tell(theRegister, distributed.Release, p.token, out)
	p.token = 0
	if p.local.Remove() {
		p.tell(theRegister, distributed.Request, 0, out)
	}
}

func (p *register) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Request: // Q1
		p.queue.Push(m.From)
		p.serve(out)
	case distributed.Release: // Q4
		if p.owner == m.From && p.latest == m.Stamp {
			p.owner = distributed.None
			out.Cancel(timerLease)
			p.serve(out)
		}
	case distributed.Grant:
		p.grant(m.Stamp, out)
	case distributed.Write:
		p.write(m, out)
	}
}

func (p *register) serve(out *distributed.Out) {
	if p.owner != distributed.None || p.queue.Len() == 0 {
		return
	}
	p.owner = p.queue.Pop() // Q2
	p.latest++
	p.tell(p.owner, distributed.Grant, p.latest, out)
	out.Set(timerLease, p.lease+2) // Q3
}

func (p *register) grant(token int64, out *distributed.Out) {
	if p.local.Len() == 0 || p.token != 0 {
		p.tell(theRegister, distributed.Release, token, out) // G1
		return
	}
	p.token = token // G2
	out.Set(timerLease, p.lease)
	out.Grant(p.local.Head())
	p.tell(theRegister, distributed.Write, token, out)
}

// write makes the resource accept or refuse a write.
func (p *register) write(m distributed.Message, out *distributed.Out) {
	if m.Stamp < p.high { // S1
		p.tell(m.From, distributed.Stale, m.Stamp, out)
		return
	}
	p.high, p.last = m.Stamp, m.Stamp
}

func (p *register) Expire(t distributed.TimerID, out *distributed.Out) {
	switch {
	case t == timerWrites:
		for _, token := range p.late { // L3
			p.tell(theRegister, distributed.Write, token, out)
		}
		p.late = p.late[:0]
	case p.me == theRegister:
		p.owner = distributed.None // Q5
		p.serve(out)
	default:
		out.Revoke(p.local.Head()) // L2
		if len(p.late) == 0 {
			out.Set(timerWrites, lateness)
		}
		p.late = append(p.late, p.token)
		p.left(out)
	}
}

// Recover implements [distributed.Recoverer].
func (p *register) Recover(*distributed.Out) { *p = *newRegister(p.me, p.lease) } // V1

// Intact implements [distributed.Resource].
func (p *register) Intact() error {
	if p.last < p.high {
		return fmt.Errorf("a write with token %d was taken after one with token %d", p.last, p.high)
	}
	return nil
}

// Stamps implements [distributed.Stamper].
func (p *register) Stamps() (clock *int64, others []*int64) {
	if p.me == theRegister {
		clock = &p.latest
	}
	others = []*int64{&p.token, &p.high, &p.last}
	for k := range p.late {
		others = append(others, &p.late[k])
	}
	return clock, others
}

func (p *register) String() string {
	if p.me == theRegister {
		return fmt.Sprintf("owner=%d token=%d queue=%v resource: high=%d last=%d", p.owner, p.latest, p.queue.Slice(), p.high, p.last)
	}
	return fmt.Sprintf("token=%d late=%v threads=%v", p.token, p.late, p.local.Threads())
}
