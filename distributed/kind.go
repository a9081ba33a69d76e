package distributed

import (
	"fmt"
	"slices"
)

// Kind says what a message is. One list serves all algorithms, so that a
// message prints itself and counts by kind need no table.
type Kind uint8

const (
	Request    Kind = iota // asks for permission or for the token
	Reply                  // gives permission (Ricart and Agrawala)
	Ack                    // has seen a request (Lamport)
	Release                // has left (central, Lamport, Maekawa)
	Grant                  // may enter (central)
	Token                  // the token itself
	Locked                 // gives this quorum member's vote (Maekawa); Clock: the voter's
	Failed                 // an earlier request holds or awaits the vote (Maekawa)
	Inquire                // asks for the vote back (Maekawa)
	Relinquish             // gives the vote back (Maekawa)
	Signal                 // wakes an alien thread
	Election               // a candidacy
	OK                     // an older process takes the election over (bully); gives permission to one request
	Leader                 // announces the elected
	Ping                   // asks whether the receiver lives
	Pong                   // says that the sender lives
	Query                  // a new epoch begins: are you in the critical section, do you have the token?
	Report                 // answers a Query
	Received               // acknowledges the token
	No                     // has seen a request and grants it later (Ricart and Agrawala with replies)
	Join                   // the sender has restarted
	Welcome                // answers a Join: what the sender knows of leaders
	Up                     // the sender has restarted, with nothing of before
	Move                   // a thread goes to another node (simulator)
	Claim                  // asks for the reign
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

// MarshalText gives the kind's name, for JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(name []byte) error {
	i := slices.Index(kindNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("%q is no kind of message", name)
	}
	*k = Kind(i)
	return nil
}
