package tournament

import (
	"shmbench/locks/dekker"
	"shmbench/shm"
)

var (
	doranThomasTree = Tournament{
		Name:   "tournament/doranthomas",
		Title:  "Tournament of Doran and Thomas's two-process locks",
		Source: buhr,
		Shape:  Minimal(2),
		Node:   dekker.DoranThomas,
		Flag:   "want",
	}
	rwSafeTree = Tournament{
		Name:   "tournament/rwsafe",
		Title:  "Tournament of Dekker's locks made RW-safe",
		Source: buhr,
		Shape:  Minimal(2),
		Node:   dekker.RWSafe,
		Flag:   "cc",
	}
)

// DoranThomas returns the specification of the tournament of Doran and Thomas's two-process
// lock, dekker.DoranThomasMutex, one of the nodes of Binary.c
// (github.com/pabuhr/concurrent-locking).
func DoranThomas(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return doranThomasTree.Spec(layout, stores)
}

// RWSafe returns the specification of the tournament of Dekker's lock made RW-safe,
// dekker.RWSafeMutex, another of these nodes.
func RWSafe(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return rwSafeTree.Spec(layout, stores)
}
