package distributed

import (
	"fmt"
	"slices"
)

// Kind says what a message is. All algorithms share one list of kinds, so
// messages print themselves, and counts by kind need no table.
type Kind uint8

const (
	Request    Kind = iota // asks for permission or for the token
	Reply                  // gives permission (Ricart and Agrawala)
	Ack                    // tells that the sender has seen a request (Lamport)
	Release                // tells that the sender has left (central, Lamport, Maekawa)
	Grant                  // permits the receiver to enter (central)
	Token                  // the token itself
	Locked                 // gives the vote of this quorum member (Maekawa); Clock is the clock of the voter
	Failed                 // an earlier request holds the vote or waits for it (Maekawa)
	Inquire                // asks for the vote back (Maekawa)
	Relinquish             // gives the vote back (Maekawa)
	Signal                 // wakes an alien thread
	Election               // a candidacy
	OK                     // the sender, an older process, takes over the election (bully); elsewhere, permission for one request
	Leader                 // announces the elected leader
	Ping                   // asks whether the receiver is alive
	Pong                   // tells that the sender is alive
	Query                  // begins a new epoch and asks whether the receiver is in the critical section or has the token
	Report                 // answers a Query
	Received               // acknowledges the token
	No                     // tells that the sender has seen a request and will grant it later (Ricart and Agrawala with replies)
	Join                   // the sender has restarted
	Welcome                // answers a Join with the sender's knowledge of leaders
	Up                     // the sender has restarted and has kept nothing
	Move                   // a thread goes to another node (simulator)
	Claim                  // asks a voter for its vote (central with a majority or a register)
	Refused                // answers a Claim: the field Who names the owner
	Moved                  // tells the receiver to ask the node in the field Who
	Write                  // writes to the resource
	Stale                  // refuses a Write whose token is an old one
	kinds
)

var kindNames = [kinds]string{
	"request", "reply", "ack", "release", "grant", "token", "locked", "failed",
	"inquire", "relinquish", "signal", "election", "ok", "leader",
	"ping", "pong", "query", "report", "received", "no", "join", "welcome", "up", "move",
	"claim", "refused", "moved", "write", "stale",
}

// Kinds is the number of kinds; kinds are 0..Kinds-1.
const Kinds = int(kinds)

func (k Kind) String() string {
	if k >= kinds {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// A Tally counts messages by their kinds.
type Tally [Kinds]int64

// Total returns the number of messages of all kinds.
func (t Tally) Total() (n int64) {
	for _, k := range t {
		n += k
	}
	return n
}

// ByName returns the counts above 0 by the names of the kinds.
func (t Tally) ByName() map[string]int64 {
	names := map[string]int64{}
	for k, n := range t {
		if n > 0 {
			names[Kind(k).String()] = n
		}
	}
	return names
}

// MarshalText returns the kind's name, for JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets k to the kind with the given name. It returns an error for
// an unknown name.
func (k *Kind) UnmarshalText(name []byte) error {
	i := slices.Index(kindNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("%q is no kind of message", name)
	}
	*k = Kind(i)
	return nil
}
