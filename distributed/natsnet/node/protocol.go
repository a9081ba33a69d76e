package node

import (
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/link"
)

// A Command is what the parent of a node tells it, a line of JSON.
type Command struct {
	Do        string             `json:"do"`
	Addresses []string           `json:"addresses,omitempty"` // of "meet": where the nodes listen, over TCP
	Thread    distributed.Thread `json:"thread,omitempty"`    // of "ask" and "leave"
	Apart     []bool             `json:"apart,omitempty"`     // of "part": the nodes that this one is cut off
}

// The commands of a parent.
const (
	Meet   = "meet"   // begin to talk to the others
	Begin  = "begin"  // begin the load
	Ask    = "ask"    // let a thread ask; it stays inside until Leave
	Leave  = "leave"  // let it leave
	Count  = "count"  // answer with Counted
	Look   = "look"   // answer with Seen
	Part   = "part"   // be cut off some nodes, and joined to all others
	Finish = "finish" // end, with Result
)

// An Event is what a node tells its parent, a line of JSON.
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

	// BrokeDown says of Failed that the node's algorithm broke down.
	BrokeDown bool `json:"broke_down,omitempty"`
}

// The events of a node.
const (
	Ready   = "ready"   // it listens
	Met     = "met"     // it has met the others, and begins
	Entered = "entered" // a thread is inside
	Left    = "left"    // and has left
	Done    = "done"    // its load is over
	Counted = "counted" // how many messages it has sent, and taken
	Seen    = "seen"    // how it stands
	Result  = "result"  // likewise, at its end
	Failed  = "failed"  // it cannot go on
)

// A Report is how a node stands.
type Report struct {
	Node    distributed.ID `json:"node"`
	State   string         `json:"state"`   // as the algorithm prints it
	Waiting []Waiter       `json:"waiting"` // its threads that wait
	Inside  []Waiter       `json:"inside"`  // and those that are inside
	Storing []Waiter       `json:"storing"` // and those that wait for the resource, or for the server that keeps the lock
	Trouble string         `json:"trouble"` // why requests to the resource or the server are repeated; "": they are not
	Entries int64          `json:"entries"` // begun so far
	Peers   []link.Peer    `json:"peers"`
	Counts  link.Counts    `json:"counts"`
	Dropped int            `json:"dropped"` // frames that a slow consumer lost

	// Strangers is how many connections were sent away.
	Strangers int64 `json:"strangers"`

	// ServerDown is for how long there has been no connection to the NATS server.
	ServerDown time.Duration `json:"server_down"`

	Kinds  map[string]int64 `json:"kinds"`            // messages sent
	Delays []Delay          `json:"delays,omitempty"` // of some of the messages taken
}

// A Waiter is a thread that has waited, or been inside, for a time.
type Waiter struct {
	Thread distributed.Thread `json:"thread"`
	For    time.Duration      `json:"for"`
	Fence  distributed.Fence  `json:"fence,omitzero"`
}
