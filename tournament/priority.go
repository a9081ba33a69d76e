package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

var prioritySource = shm.Source{
	Author: "after Gary L. Peterson",
	Title:  "Algorithms for Concurrent Distributed Systems: The Mutual Exclusion Problem",
	Venue:  "lecture notes",
	Year:   1981,
}

// Priority is the card of the tournament tree of the lecture notes: the
// two-process lock with priority, peterson.PriorityMutex, at every node. It
// inherits that lock's properties: no lockout, and waiting without a bound.
func Priority(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	const name = "tournament/priority"
	return shm.Algorithm{
		Name:     name,
		Title:    "Tournament of two-process locks with priority",
		Source:   prioritySource,
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Weakest:        shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "want", Count: perNode("2(n-1)", 2), Values: shm.Const(2)},
			{Name: "priority", Count: perNode("n-1", 1), Values: shm.Const(2)},
		},
		Layout:     layout,
		Stores:     stores,
		Invariants: []shm.Invariant{holdsPath("want", prioritySource)},
		New: func(n int) (shm.Mutex, error) {
			return NewTree(name, n, func() (shm.Mutex, error) { return peterson.NewPriority(2, layout, stores) })
		},
	}
}
