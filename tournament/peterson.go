package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

var (
	petersonTree = Tournament{
		Name:  "tournament/peterson",
		Title: "Tournament of Peterson's two-process locks",
		Source: shm.Source{
			Author: "Gadi Taubenfeld",
			Title:  "Synchronization Algorithms and Concurrent Programming",
			Venue:  "Pearson",
			Year:   2006,
			Page:   "38",
		},
		Shape: Complete(2),
		Node:  peterson.Peterson,
		Flag:  "q",
	}
	petersonBuhrTree = Tournament{
		Name:  "tournament/petersonbuhr",
		Title: "Tournament of n-1 of Peterson's two-process locks",
		Source: shm.Source{
			Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
			Title:  "High-performance N-thread software solutions for mutual exclusion",
			Venue:  "Concurrency and Computation: Practice and Experience 27(3)",
			Year:   2015,
			Page:   "651-701",
		},
		Shape: Minimal(2),
		Node:  peterson.Peterson,
		Flag:  "q",
	}
)

// Peterson is the card of the complete tournament tree with Peterson's
// two-process lock, peterson.PetersonMutex, at every node.
func Peterson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return weakened(petersonTree.Card(layout, stores))
}

// PetersonBuhr is the card of the minimal tree of the same locks.
func PetersonBuhr(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return weakened(petersonBuhrTree.Card(layout, stores))
}

// NewPetersonBuhr returns the minimal tree for n processes, or a
// *shm.ProcsError.
func NewPetersonBuhr(n int, layout shm.Layout, stores shm.Stores) (*Tree, error) {
	return petersonBuhrTree.New(n, layout, stores)
}

// weakened returns the card of a tree of Peterson's locks with what is left on
// safe registers: a node lets two processes in then, and where two come to one
// side of its parent they may wait for ever, as they do not at a single node.
func weakened(a shm.Algorithm) shm.Algorithm {
	a.Claims.Weakest.DeadlockFree, a.Claims.Weakest.StarvationFree = shm.Regular, shm.Regular
	return a
}
