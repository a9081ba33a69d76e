package node

import (
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/link"
)

// A Command is a message of the parent to a node, as a line of JSON.
type Command struct {
	Do        string             `json:"do"`
	Addresses []string           `json:"addresses,omitempty"` // of Meet, over TCP: where the nodes listen
	Thread    distributed.Thread `json:"thread,omitempty"`    // of Ask and Leave
	Apart     []bool             `json:"apart,omitempty"`     // of Part: the nodes that this node is cut off from
}

// The commands of a parent.
const (
	Meet   = "meet"   // start to talk to the other nodes
	Begin  = "begin"  // start the load
	Ask    = "ask"    // make a request for a thread; it stays in its critical section until Leave
	Leave  = "leave"  // let that thread leave
	Count  = "count"  // answer with Counted
	Look   = "look"   // answer with Seen
	Part   = "part"   // cut the node off from some nodes, and join it to all others
	Finish = "finish" // end, with Result
)

// An Event is a message of a node to its parent, as a line of JSON.
type Event struct {
	Event   string             `json:"event"`
	PID     int                `json:"pid,omitempty"`
	Address string             `json:"address,omitempty"` // of Ready, over TCP
	Thread  distributed.Thread `json:"thread,omitempty"`
	Fence   distributed.Fence  `json:"fence,omitzero"`
	Again   bool               `json:"again,omitempty"` // of Met: the node was in the run before
	Sent    int64              `json:"sent,omitempty"`
	Taken   int64              `json:"taken,omitempty"`
	Report  *Report            `json:"report,omitempty"` // of Seen and Result
	Error   string             `json:"error,omitempty"`  // of Failed

	// BrokeDown says that the node's algorithm broke down, in an event Failed.
	BrokeDown bool `json:"broke_down,omitempty"`
}

// The events of a node.
const (
	Ready   = "ready"   // the node listens
	Met     = "met"     // the node has met the other nodes and begins
	Entered = "entered" // a thread has entered its critical section
	Left    = "left"    // a thread has left its critical section
	Done    = "done"    // the load of the node is over
	Counted = "counted" // how many messages the node has sent and received
	Seen    = "seen"    // a report on the node
	Result  = "result"  // a report on the node at its end
	Failed  = "failed"  // the node cannot continue
)

// A Report is the state of a node.
type Report struct {
	Node    distributed.ID `json:"node"`
	State   string         `json:"state"`   // the state as the algorithm prints it
	Waiting []Waiter       `json:"waiting"` // its waiting threads
	Inside  []Waiter       `json:"inside"`  // its threads in their critical sections
	Storing []Waiter       `json:"storing"` // its threads that wait for the resource, or for the server that stores the lock
	Trouble string         `json:"trouble"` // why the node repeats requests to the resource or the server; "": it does not
	Entries int64          `json:"entries"` // entries that have begun so far
	Peers   []link.Peer    `json:"peers"`
	Counts  link.Counts    `json:"counts"`
	Dropped int            `json:"dropped"` // frames that a slow consumer lost

	// Strangers is the number of refused connections.
	Strangers int64 `json:"strangers"`

	// ServerDown is how long there has been no connection to the NATS server.
	ServerDown time.Duration `json:"server_down"`

	Kinds  map[string]int64 `json:"kinds"`            // messages sent
	Delays []Delay          `json:"delays,omitempty"` // of some of the received messages
}

// A Waiter is a thread that waits or is in its critical section, and for how long.
type Waiter struct {
	Thread distributed.Thread `json:"thread"`
	For    time.Duration      `json:"for"`
	Fence  distributed.Fence  `json:"fence,omitzero"`
}
