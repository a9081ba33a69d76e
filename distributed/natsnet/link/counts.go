package link

import (
	"errors"
	"sync/atomic"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/wire"
)

// Counts are what a link had to put up with.
type Counts struct {
	Resent    int64 `json:"resent"`    // parcels sent again
	Doubled   int64 `json:"doubled"`   // parcels that came again
	Gaps      int64 `json:"gaps"`      // parcels that came before one that was missing
	Forgotten int64 `json:"forgotten"` // parcels given up because nobody acknowledged them

	Foreign      int64 `json:"foreign"`
	Malformed    int64 `json:"malformed"`
	Oversized    int64 `json:"oversized"`
	Misaddressed int64 `json:"misaddressed"`
	Replayed     int64 `json:"replayed"`
}

type counters struct {
	resent, doubled, gaps, forgotten                      atomic.Int64
	foreign, malformed, oversized, misaddressed, replayed atomic.Int64
}

// of returns the counter of frames dropped because of err.
func (c *counters) of(err error) *atomic.Int64 {
	switch {
	case errors.Is(err, wire.ErrForeign):
		return &c.foreign
	case errors.Is(err, wire.ErrMalformed):
		return &c.malformed
	case errors.Is(err, wire.ErrOversized):
		return &c.oversized
	case errors.Is(err, errMisaddressed):
		return &c.misaddressed
	}
	return &c.replayed
}

// Counts returns what has come about so far.
func (l *Link) Counts() Counts {
	c := &l.counts
	return Counts{
		c.resent.Load(), c.doubled.Load(), c.gaps.Load(), c.forgotten.Load(),
		c.foreign.Load(), c.malformed.Load(), c.oversized.Load(), c.misaddressed.Load(), c.replayed.Load(),
	}
}

// A Peer is how things stand with another node.
type Peer struct {
	Node    distributed.ID `json:"node"`
	Met     bool           `json:"met"`     // something has come from it
	Done    bool           `json:"done"`    // it asks for nothing any more
	Unacked int            `json:"unacked"` // parcels that it has not acknowledged
	Silent  time.Duration  `json:"silent"`  // since anything came from it
}

// Peers returns how things stand with each other node.
func (l *Link) Peers() []Peer {
	var all []Peer
	for _, p := range l.peers {
		if p != nil {
			p.mu.Lock()
			all = append(all, Peer{p.id, p.born != 0, p.done, len(p.unacked), time.Since(p.heard)})
			p.mu.Unlock()
		}
	}
	return all
}
