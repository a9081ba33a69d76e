// Package distributed defines the interfaces of the message-passing part of the
// project: mutual exclusion and elections among n nodes, numbered 0..n-1. The nodes
// share no memory and communicate by messages.
//
// An algorithm is a pure state machine. A [Node] takes one event at a time: a
// thread's request or release, a message, or a timer. It appends its answer to an
// [Out]: messages to send, threads that may enter, and timers to set. A Node has no
// goroutine, no clock, no random source and does no I/O. So the same code runs in
// the event simulator (distributed/sim), in the explorer of all message orders
// (distributed/explore), and over goroutines and channels (distributed/live).
//
// A node has m threads, numbered 0..m-1. Each thread makes a request, enters when
// the node grants it, releases, and may request again. A thread makes no request
// while it waits or is in the critical section. The caller must keep to this order,
// and nodes rely on it.
package distributed

// ID is the number of a node, 0..n-1. None stands for no node.
type ID int32

// None stands for no node.
const None ID = -1

// Thread is the number of a thread within its node, 0..m-1.
type Thread int32

// A Machine is a node of any algorithm, for mutual exclusion or for elections. It
// reacts to messages and timers. Its state is the value of all its fields, except those with
// the tag `state:"scratch"`, which it uses within one event. The explorer copies and compares
// nodes by these fields. They are booleans, numbers, slices, functions that do not change, and
// structures of these.
//
// Methods that take an *Out only append to it. The caller empties it between
// events and may reuse it for all nodes. In the steady state no event allocates.
type Machine interface {
	// Start is the node's first event, before any other. The first holder of a
	// token ring sends its token in Start; most nodes do nothing.
	Start(out *Out)

	// Receive handles the message m, whose To is this node. The node owns m.Body
	// from then on.
	Receive(m Message, out *Out)

	// Expire handles the expiry of timer t. The node has set this timer and has
	// neither canceled it nor set it anew.
	Expire(t TimerID, out *Out)

	// String prints the state on one line, with the variable names of the source.
	String() string
}

// A Node is one node of a mutual exclusion algorithm.
type Node interface {
	Machine

	// Request handles a request of thread t, which wants to enter its critical
	// section.
	Request(t Thread, out *Out)

	// Release handles the release of thread t, which has left its critical
	// section.
	Release(t Thread, out *Out)
}

// A Recoverer can restart after a crash. A crashed node handles no event, and its
// timers are gone. Recover is its first event after the crash. The node may use
// only the part of its state that its doc comment calls stable.
type Recoverer interface {
	Recover(out *Out)
}

// A Keeper is a Recoverer that keeps a part of its state over a crash, on stable storage. The
// program that runs the Keeper writes the result of Kept to that storage after each event
// that changes it. The program does so before it sends the messages of that event.
type Keeper interface {
	Recoverer

	// Kept returns the part of the state that a crash must not destroy.
	Kept() []int64

	// Restore sets that part in a new node. Recover is then the node's first
	// event. Restore returns an error if kept is not valid.
	Restore(kept []int64) error
}

// A Clock is a node whose timestamps come from a clock that the caller can set
// before the first event. The worked examples of lectures begin in the middle of
// a run.
type Clock interface {
	SetClock(latest int64) // latest is the greatest timestamp that the node knows of
}

// A Holder is a node of several locks. Threads that hold no lock in common may be
// in their critical sections together.
type Holder interface {
	// Holds returns the locks of thread t, at least one. Thread t is in its
	// critical section.
	Holds(t Thread) []uint16
}

// A Resource is a node that keeps the resource that the threads write to in their
// critical sections.
type Resource interface {
	// Intact returns an error if the writes so far have left the resource in a
	// wrong state.
	Intact() error
}

// A Stamper is a node whose timestamps grow without end although only their
// differences matter. A shift of all timestamps of a system, including
// Message.Stamp of messages under way, changes nothing. So an explorer can handle
// endless runs. Timestamp 0 stands for no timestamp and is not shifted.
type Stamper interface {
	// Stamps returns where the node keeps its clock, which counts even if it is 0, and its
	// other timestamps. The clock is nil for a node without one.
	Stamps() (clock *int64, others []*int64)
}

// An Elector is one node of an election algorithm.
type Elector interface {
	Machine

	// Suspect tells the node to believe that the leader is dead.
	Suspect(out *Out)

	// Leader returns the node that this node believes to be the leader, or None if it
	// knows no leader. It also returns the term of that leader. The term grows with each
	// election that the node knows of.
	Leader() (leader ID, term int64)

	// Elections returns the number of the latest election that this node knows of.
	// Each new election has a greater number.
	Elections() int64
}

// Quiet provides Start and Expire for nodes that do nothing at the start and set
// no timer.
type Quiet struct{}

func (Quiet) Start(*Out)           {}
func (Quiet) Expire(TimerID, *Out) {}

// TimerID is the number of a timer of one node. Setting a timer again replaces
// its earlier setting.
type TimerID int32

// A Timer asks the environment to call Expire(ID) After ticks from now. After 0
// cancels the timer. One tick is the bound on a message's delay that the
// algorithm supposes. The environment chooses the length of a tick. If it is too
// short, the algorithm's claims that rely on time do not hold.
type Timer struct {
	ID    TimerID
	After int32
}

// Out collects a node's answers to one event. Each list is in the order of the
// node's actions.
type Out struct {
	Messages []Message
	Grants   []Thread // threads of this node that may now enter
	Revoked  []Thread // threads of this node that must leave now
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

// Broadcast sends m to every node of 0..n-1 except its sender.
func (o *Out) Broadcast(m Message, n int) {
	for m.To = range ID(n) {
		if m.To != m.From {
			o.Send(m)
		}
	}
}

// Grant lets thread t of the acting node enter.
func (o *Out) Grant(t Thread) { o.Grants = append(o.Grants, t) }

// Revoke takes back the permission of thread t of the acting node. The thread
// leaves at once, unless it hangs. The node gets no Release for it.
func (o *Out) Revoke(t Thread) { o.Revoked = append(o.Revoked, t) }

// Set sets the timer id to expire after the given number of ticks.
func (o *Out) Set(id TimerID, after int32) { o.Timers = append(o.Timers, Timer{id, after}) }

// Cancel cancels the timer id, even if the timer is not set.
func (o *Out) Cancel(id TimerID) { o.Timers = append(o.Timers, Timer{id, 0}) }
