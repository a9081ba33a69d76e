package permission

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// stampOrder says that requests are served in the order of their timestamps, ties by
// node: no request precedes that of a node in its critical section. stamp returns the
// timestamp of node i's request, 0 for none.
func stampOrder(source string, stamp func(v *distributed.View, i distributed.ID) int64) distributed.Invariant {
	return distributed.Invariant{Name: "stamp order", Source: source, Holds: func(v *distributed.View) error {
		for i := range distributed.ID(len(v.Nodes)) {
			if !v.Inside[i] {
				continue
			}
			mine := stamp(v, i)
			for j := range distributed.ID(len(v.Nodes)) {
				if k := stamp(v, j); !v.Down[j] && k != 0 && before(k, j, mine, i) {
					return fmt.Errorf("node %d is in its critical section with timestamp %d, before node %d, which has %d", i, mine, j, k)
				}
			}
		}
		return nil
	}}
}

// oneVote says of nodes that vote that a vote is with one requester, that for
// which its voter is locked, or on the way there or back; or with one that is down. A
// message that is lost may take the vote with it: then no requester has it, and at most
// the deadlock is wrong.
var oneVote = distributed.Invariant{
	Name: "one vote a voter", Source: "Maekawa 1985, section 4; Smruti R. Sarangi, Mutual Exclusion: Tokenless and Token Based Algorithms, lecture, \"Proof\"",
	Holds: func(v *distributed.View) error {
		for i := range distributed.ID(len(v.Nodes)) {
			if v.Down[i] {
				continue
			}
			with := votes(v, i)
			switch lock := distributed.NodeOf[voting](v, i).ballots().lock; {
			case len(with) > 1:
				return fmt.Errorf("the vote of node %d is %s and %s", i, with[0], with[1])
			case len(with) == 1 && (lock == request{} || lock.node != with[0].node):
				return fmt.Errorf("the vote of node %d is %s, for which it is not locked", i, with[0])
			case len(with) == 0 && lock != request{} && !v.Down[lock.node] && !v.Lossy:
				return fmt.Errorf("node %d is locked for node %d, which does not have its vote", i, lock.node)
			}
		}
		return nil
	},
}

// place is where a vote is: with a requester, or between it and the voter.
type place struct {
	where string
	node  distributed.ID // the requester
}

func (p place) String() string { return fmt.Sprintf("%s node %d", p.where, p.node) }

// votes returns where the vote of node i is, by the variables of the live requesters and
// by the messages under way. A message that arrives twice is one vote: it is on its way to
// the requester that has it, or the same way twice.
func votes(v *distributed.View, i distributed.ID) (with []place) {
	add := func(where string, node distributed.ID) {
		if p := (place{where, node}); !slices.Contains(with, p) {
			with = append(with, p)
		}
	}
	for j := range distributed.ID(len(v.Nodes)) {
		if p := distributed.NodeOf[voting](v, j).ballots(); !v.Down[j] && p.stamp != 0 && p.voted(i) {
			add("with", j)
		}
	}
	for _, m := range v.UnderWay {
		switch {
		case m.Kind == distributed.Locked && m.From == i && m.Stamp == distributed.NodeOf[voting](v, m.To).ballots().stamp:
			if !slices.Contains(with, place{"with", m.To}) {
				add("on its way to", m.To)
			}
		case m.Kind == distributed.Relinquish && m.To == i:
			add("on its way back from", m.From)
		}
	}
	if len(with) > 0 {
		return with // a Release may come from a node that waits for the vote, or has given it back
	}
	lock := distributed.NodeOf[voting](v, i).ballots().lock
	for _, m := range v.UnderWay {
		if m.Kind == distributed.Release && m.To == i && lock == (request{m.Stamp, m.From}) {
			add("on its way back from", m.From)
		}
	}
	return with
}

// treeQuorum says that a node in its critical section has the votes of a tree quorum.
var treeQuorum = distributed.Invariant{
	Name: "a tree quorum inside", Source: "Agrawal and El Abbadi 1991; Maekawa 1985, section 4",
	Holds: func(v *distributed.View) error {
		for i := range distributed.ID(len(v.Nodes)) {
			has := func(j distributed.ID) bool {
				lock := distributed.NodeOf[voting](v, j).ballots().lock
				return lock != request{} && lock.node == i
			}
			if v.Inside[i] && !votersOf(len(v.Nodes)).has(0, has) {
				return fmt.Errorf("node %d is in its critical section without the votes of a tree quorum", i)
			}
		}
		return nil
	},
}
