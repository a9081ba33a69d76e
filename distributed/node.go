// Package distributed is the contract of the message-passing wing: mutual exclusion
// and elections among n nodes, numbered 0..n-1, that share nothing and talk by
// messages.
//
// An algorithm is a pure state machine. A [Node] takes one event at a time (a
// thread's request or release, a message, a timer) and appends to an [Out]
// what it does in answer: messages to send, threads that may enter, timers to
// set. It has no goroutine, no clock, no random source and does no I/O, so the
// very same code runs under the event simulator (distributed/sim), the explorer of
// all message orders (distributed/explore) and over goroutines and channels.
//
// A node carries m threads, numbered 0..m-1. Each thread asks, enters when it
// is granted, releases, and may ask again; it never asks while it waits or is
// inside. Keeping to that is the caller's part, and nodes rely on it.
package distributed

// ID numbers a node, 0..n-1. None stands for no node.
type ID int32

// None is no node.
const None ID = -1

// Thread numbers a thread of one node, 0..m-1.
type Thread int32

// A Machine is what every node is, mutual exclusion or election: it reacts to
// messages and timers and its state can be copied, compared and printed.
//
// Methods that take an *Out only append to it; the caller empties it between
// events and may reuse it for all nodes. In steady state no event allocates.
type Machine interface {
	// Start is the node's first event, before any other. A token ring's first
	// holder sends its token here; most nodes do nothing.
	Start(out *Out)

	// Receive takes the message m, whose To is this node. The node owns
	// m.Body from here on.
	Receive(m Message, out *Out)

	// Expire takes the expiry of a timer that the node has set and neither
	// canceled nor set anew.
	Expire(t TimerID, out *Out)

	// Clone returns a copy that shares no mutable state with the original.
	Clone() Machine

	// AppendState appends the canonical form of the node's state. Two states of the same node
	// append the same bytes if and only if no sequence of events can tell them apart. The
	// memory that the node takes does not count.
	AppendState(b []byte) []byte

	// String prints the state on one line, with the source's variable names.
	String() string
}

// A Node is one node of a mutual exclusion algorithm.
type Node interface {
	Machine

	// Request says that thread t wants to enter.
	Request(t Thread, out *Out)

	// Release says that thread t, granted earlier, has left.
	Release(t Thread, out *Out)
}

// A Recoverer can restart after a crash. A crashed node takes no event, and
// its timers are gone; Recover is its first event after the crash, and the
// node may use only the part of its state that its doc calls stable.
type Recoverer interface {
	Recover(out *Out)
}

// A Keeper is a Recoverer that keeps a part of its state over a crash, on stable storage. The
// program that runs the Keeper writes the result of Kept there after each event that changes
// it, before it sends the messages of that event.
type Keeper interface {
	Recoverer

	// Kept returns the part of the state that a crash must not destroy.
	Kept() []int64

	// Restore sets that part of a node that has just been built. Recover is the
	// node's first event then.
	Restore(kept []int64) error
}

// A Clock is a node whose timestamps come from a clock that can be set before the
// first event: the worked examples of lectures begin in the middle.
type Clock interface {
	SetClock(latest int64) // the greatest timestamp that the node knows of
}

// A Holder is a node of several locks. Threads that hold no lock in common may
// be inside together.
type Holder interface {
	// Holds returns the locks of thread t, which is inside; at least one.
	Holds(t Thread) []uint16
}

// A Resource is a node that keeps the resource to which the threads inside
// write.
type Resource interface {
	// Intact reports what is wrong with what was written so far.
	Intact() error
}

// A Stamper is a node whose timestamps grow without end although only their
// differences matter: shifting the timestamps of a whole system, those under
// way in Message.Stamp included, changes nothing. It lets an explorer treat
// endless runs. Timestamp 0 stands for none and is not shifted.
type Stamper interface {
	Least() int64  // the least timestamp in the node's state, 0 included if it is one
	Shift(d int64) // subtracts d, less than Least, from each
}

// An Elector is one node of an election algorithm.
type Elector interface {
	Machine

	// Suspect says that this node believes the leader to be dead.
	Suspect(out *Out)

	// Leader returns the node that this node believes to be the leader, None while it
	// knows no leader. The term of that leadership grows with each election that the node
	// knows of.
	Leader() (leader ID, term int64)

	// Elections returns the number of the latest election that this node knows
	// of; each that begins anew has a greater one.
	Elections() int64
}

// Quiet is embedded by nodes that do nothing at the start and set no timer.
type Quiet struct{}

func (Quiet) Start(*Out)           {}
func (Quiet) Expire(TimerID, *Out) {}

// TimerID names a timer of one node. Setting a timer that is set sets it anew.
type TimerID int32

// A Timer asks the environment to call Expire(ID) After ticks from now; zero
// ticks cancels. One tick is the bound on a message's delay that the algorithm
// supposes: the environment chooses its length, and where it chooses too short
// a one the algorithm's claims that rest on time are off.
type Timer struct {
	ID    TimerID
	After int32
}

// Out collects what a node does in answer to one event. The order within each
// list is the order in which it was done.
type Out struct {
	Messages []Message
	Grants   []Thread // threads of the acting node that may now enter
	Revoked  []Thread // threads of the acting node that must leave now
	Timers   []Timer
}

// Reset empties o and keeps its memory.
func (o *Out) Reset() {
	o.Messages = o.Messages[:0]
	o.Grants = o.Grants[:0]
	o.Revoked = o.Revoked[:0]
	o.Timers = o.Timers[:0]
}

// Send appends a message.
func (o *Out) Send(m Message) { o.Messages = append(o.Messages, m) }

// Broadcast appends m to every node of 0..n-1 but its sender.
func (o *Out) Broadcast(m Message, n int) {
	for m.To = range ID(n) {
		if m.To != m.From {
			o.Send(m)
		}
	}
}

// Grant lets thread t of the acting node enter.
func (o *Out) Grant(t Thread) { o.Grants = append(o.Grants, t) }

// Revoke takes the permission of thread t of the acting node back. It leaves at
// once, unless it hangs; the node gets no Release for it.
func (o *Out) Revoke(t Thread) { o.Revoked = append(o.Revoked, t) }

// Set sets the timer id to expire after the given number of ticks.
func (o *Out) Set(id TimerID, after int32) { o.Timers = append(o.Timers, Timer{id, after}) }

// Cancel cancels the timer id, set or not.
func (o *Out) Cancel(id TimerID) { o.Timers = append(o.Timers, Timer{id, 0}) }
