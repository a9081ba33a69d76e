package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

// buhr is the paper that compares trees of several two-process locks.
var buhr = shm.Source{
	Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
	Title:  "High-performance N-thread software solutions for mutual exclusion",
	Venue:  "Concurrency and Computation: Practice and Experience 27(3)",
	Year:   2015,
	Page:   "651-701",
}

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
		Name:   "tournament/petersonbuhr",
		Title:  "Tournament of n-1 of Peterson's two-process locks",
		Source: buhr,
		Shape:  Minimal(2),
		Node:   peterson.Peterson,
		Flag:   "q",
	}
)

// Peterson returns the specification of the complete tournament tree with Peterson's
// two-process lock, peterson.PetersonMutex, at every node.
func Peterson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return onRegular(petersonTree.Spec(layout, stores))
}

// PetersonBuhr returns the specification of the minimal tree of the same locks.
func PetersonBuhr(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return onRegular(petersonBuhrTree.Spec(layout, stores))
}

// NewPetersonBuhr returns the minimal tree for n processes, or a
// *shm.ProcsError.
func NewPetersonBuhr(n int, layout shm.Layout, stores shm.Stores) (*Tree, error) {
	return petersonBuhrTree.New(n, layout, stores)
}

// onRegular returns the specification of a tree of Peterson's locks with the claims that hold
// on regular registers: a node can let two processes in, and these do not block each other
// forever at the next node.
func onRegular(a shm.Algorithm) shm.Algorithm {
	a.Claims.Weakest.DeadlockFree, a.Claims.Weakest.StarvationFree = shm.Regular, shm.Regular
	return a
}
