package numa

import (
	"fmt"

	"shmbench/locks/queue"
	"shmbench/shm"
)

var hierarchical = shm.Source{
	Author: "Milind Chabbi, Michael Fagan and John Mellor-Crummey",
	Title:  "High Performance Locks for Multi-level NUMA Systems",
	Venue:  "PPoPP",
	Year:   2015,
	Page:   "215-226",
}

// HMCS makes the hierarchical MCS lock: a tree of MCS queues, one for each group of processors
// of Nodes. At most Batch processes of a group in a row hand over what is above their queue;
// Batch is at least 1.
type HMCS struct {
	Nodes Nodes
	Batch int
}

// Spec returns the specification of the lock for a layout of its queue nodes and for its
// stores.
func (h HMCS) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return h.Nodes.orPlain(h.spec(layout, stores), queue.MCS)
}

func (h HMCS) spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := shm.Algorithm{
		Name:   "numa/hmcs",
		Title:  "HMCS, hierarchical MCS lock",
		Source: hierarchical,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         whereOne(func(n int) int { return h.tree(n).groups() }, shm.NMinus1),
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: h.space(),
	}
	if len(h.Nodes(0)) == 1 {
		a.Claims.Place = "10/2"
		others := h.Nodes.others(h.Batch)
		a.Claims.Placed = &shm.Formula{Text: others.Text, At: func(n int) int {
			if h.tree(n).groups() == 1 {
				return n - 1 // the place is that of MCS
			}
			return others.Of(n)
		}}
	}
	return a.Built(layout, stores, func(b shm.Build) shm.Mutex { return h.build(b) })
}

func (h HMCS) space() shm.Space {
	of := func(text string, value func(t *hmcsTree) int) shm.Formula {
		return shm.Formula{Text: text, At: func(n int) int { return value(h.tree(n)) }}
	}
	return shm.Space{
		{Name: "tail", Count: of("groups", (*hmcsTree).groups), Values: of("most in a group, and 1", (*hmcsTree).most)},
		{Name: "next", Count: of("n + groups - 1", (*hmcsTree).queued), Values: of("most in a group", func(t *hmcsTree) int { return t.most() - 1 })},
		{Name: "status", Count: of("n + groups - 1", (*hmcsTree).queued), Values: of(fmt.Sprint(h.Batch, " + 2"), func(t *hmcsTree) int { return t.counts(h.Batch) })},
	}
}
