package numa

import (
	"shmbench/locks/queue"
	"shmbench/shm"
)

var hierarchicalCLH = shm.Source{
	Author: "Victor Luchangco, Dan Nussbaum and Nir Shavit",
	Title:  "A Hierarchical CLH Queue Lock",
	Venue:  "Euro-Par, LNCS 4128",
	Year:   2006,
	Page:   "801-810",
}

// HCLH makes the hierarchical CLH lock for processes on some nodes.
type HCLH struct{ Nodes Nodes }

// Spec returns the specification of the lock for a layout of its records and for its stores.
func (h HCLH) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return h.Nodes.orPlain(h.spec(layout, stores), queue.CLH)
}

func (h HCLH) spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "numa/hclh",
		Title:  "HCLH, hierarchical CLH lock",
		Source: hierarchicalCLH,
		Class:  shm.Swap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         whereOne(h.Nodes.count, shm.NMinus1),
			Doorway:        "1",
			Place:          "5",
			Placed:         &shm.Formula{Text: "n-1", At: h.several(shm.NMinus1.Of)},
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "global", Count: shm.Formula{Text: "1", At: h.several(shm.Const(1).Of)}, Values: shm.NPlus1},
			{Name: "tail", Count: shm.Formula{Text: "nodes", At: h.Nodes.count}, Values: h.tails()},
			{Name: "state", Count: shm.NPlus1, Values: h.states()},
		},
	}.Built(layout, stores, h.build)
}

// several returns 0 if all processes are on one node, where no process appends, and the given
// number otherwise.
func (h HCLH) several(of func(n int) int) func(n int) int {
	return func(n int) int {
		if h.Nodes.count(n) == 1 {
			return 0
		}
		return of(n)
	}
}

// tails counts the records, and nil.
func (h HCLH) tails() shm.Formula {
	return shm.Formula{Text: "n+2", At: func(n int) int {
		if h.Nodes.count(n) == 1 {
			return n + 1
		}
		return n + 2
	}}
}

// states counts four values for each node with several processes, and three for a node with
// one process, which is always the last of an appended queue. The spare record begins on the
// first node.
func (h HCLH) states() shm.Formula {
	return shm.Formula{Text: "4 * nodes", At: func(n int) int {
		_, size := h.Nodes.places(n)
		if len(size) == 1 {
			return 2
		}
		values := 0
		for node, processes := range size {
			values += 4
			if node > 0 && processes == 1 {
				values--
			}
		}
		return values
	}}
}
