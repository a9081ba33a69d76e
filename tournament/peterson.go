package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

var petersonSource = shm.Source{
	Author: "Gadi Taubenfeld",
	Title:  "Synchronization Algorithms and Concurrent Programming",
	Venue:  "Pearson",
	Year:   2006,
}

// Peterson is the card of the tournament tree with Peterson's two-process
// lock, peterson.PetersonMutex, at every node. For two processes it is that
// lock. For more, waiting is not bounded: between winning one node and showing
// itself at the next, a process is out of sight of the other side.
func Peterson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	const name = "tournament/peterson"
	return shm.Algorithm{
		Name:     name,
		Title:    "Tournament of Peterson's two-process locks",
		Source:   petersonSource,
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.TwoProcs,
			Doorway:        "2",
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Regular, StarvationFree: shm.Regular},
		},
		Space: shm.Space{
			{Name: "q", Count: perNode("2(n-1)", 2), Values: shm.Const(2)},
			{Name: "turn", Count: perNode("n-1", 1), Values: shm.Const(2)},
		},
		Layout:     layout,
		Stores:     stores,
		Invariants: []shm.Invariant{holdsPath("q", petersonSource)},
		New: func(n int) (shm.Mutex, error) {
			return NewTree(name, n, func() (shm.Mutex, error) { return peterson.NewPeterson(2, layout, stores) })
		},
	}
}
