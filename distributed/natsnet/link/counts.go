package link

import (
	"errors"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// Counts are the numbers of errors that a link has met in the network.
type Counts struct {
	Resent    int64 `json:"resent"`    // parcels that the link sent again
	Doubled   int64 `json:"doubled"`   // parcels that arrived again
	Gaps      int64 `json:"gaps"`      // parcels that arrived before a missing one
	Forgotten int64 `json:"forgotten"` // parcels that the link dropped because no node acknowledged them

	Foreign      int64 `json:"foreign"`      // frames of another run or version, and data that is no frame
	Malformed    int64 `json:"malformed"`    // frames that do not have the form of a frame
	Oversized    int64 `json:"oversized"`    // frames that are too long
	Misaddressed int64 `json:"misaddressed"` // frames for another node, or from a node other than the one that they name
	Strange      int64 `json:"strange"`      // frames of or for a process that this process has not met
	Refused      int64 `json:"refused"`      // hellos of a process whose number is in use by another process
}

// counters are the counts of a link so far.
type counters struct {
	mu sync.Mutex
	Counts
}

// add adds n to one of the counts.
func (c *counters) add(n int64, to *int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*to += n
}

// of returns the count of frames dropped because of err.
func (c *counters) of(err error) *int64 {
	switch {
	case errors.Is(err, wire.ErrForeign):
		return &c.Foreign
	case errors.Is(err, wire.ErrMalformed):
		return &c.Malformed
	case errors.Is(err, wire.ErrOversized):
		return &c.Oversized
	}
	return &c.Misaddressed
}

// Counts returns the counts so far.
func (l *Link) Counts() Counts {
	l.counts.mu.Lock()
	defer l.counts.mu.Unlock()
	return l.counts.Counts
}

// A Peer is the state of the connection to another node.
type Peer struct {
	Node    distributed.ID `json:"node"`
	Met     bool           `json:"met"`     // this process and a process of the node have met
	Done    bool           `json:"done"`    // the node makes no more requests
	Left    bool           `json:"left"`    // the node's process has announced its end
	Unacked int            `json:"unacked"` // parcels that the node has not acknowledged
	Silent  time.Duration  `json:"silent"`  // time since the last frame of the node
	Differs string         `json:"differs"` // how the node's settings differ; "": they do not
}

// Peers returns the state of the connection to each other node.
func (l *Link) Peers() []Peer {
	var all []Peer
	for _, p := range l.peers {
		if p != nil {
			p.mu.Lock()
			all = append(all, Peer{p.id, p.mutual, p.done, p.left, len(p.unacked), time.Since(p.heard), ""})
			p.mu.Unlock()
		}
	}
	l.meeting.mu.Lock()
	defer l.meeting.mu.Unlock()
	for k := range all {
		all[k].Differs = l.meeting.differs[all[k].Node]
	}
	return all
}
