package peterson

import "shmbench/shm"

// AttiyaWelch returns the specification of Attiya and Welch's two-process lock, for a layout
// of its registers and for its stores. The lock is in the form for safe registers.
func AttiyaWelch(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := Priority(layout, stores)
	a.Name = "peterson/attiyawelch"
	a.Title = "Attiya and Welch's two-process lock for safe registers"
	a.Source = shm.Source{
		Author: "Rob van Glabbeek, Bas Luttik and Myrthe S. C. Spronck",
		Title:  "Just Verification of Mutual Exclusion Algorithms",
		Venue:  "36th International Conference on Concurrency Theory",
		Year:   2025,
		Page:   "17:1-17:25",
	}
	a.Claims.Weakest.StarvationFree = shm.Safe
	return a.Built(layout, stores, buildAttiyaWelch)
}

// AttiyaWelchMutex is the two-process lock with priority that writes priority only to change
// it.
//
// Source: Rob van Glabbeek, Bas Luttik, Myrthe S. C. Spronck, "Just Verification of
// Mutual Exclusion Algorithms", 36th International Conference on Concurrency Theory,
// 2025, p. 17:1-17:25, in whose models it is a modification of the lock of Hagit Attiya,
// Jennifer Welch, "Distributed Computing: Fundamentals, Simulations, and Advanced
// Topics", Wiley, 2004. That lock is PriorityMutex.
//
// Registers: those of PriorityMutex.
//
// Properties: those of PriorityMutex. In addition no process starves on safe registers. A
// leaving process that does not have the priority would write the value that is already there.
// On safe registers the other process may read the opposite value each time it looks.
//
// There is no doorway: line 2 waits before the process has shown itself.
//
//	entry section of process i: lines 1 to 6 of PriorityMutex
//	exit section of process i:
//	7  if priority = i then priority := 1-i
//	8  want[i] := 0
//
// Released stores: those of PriorityMutex.
//
// Deviations: the models have turn, which is 1 - priority.
type AttiyaWelchMutex struct{ *PriorityMutex }

// NewAttiyaWelch returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewAttiyaWelch(n int, layout shm.Layout, stores shm.Stores) (*AttiyaWelchMutex, error) {
	return shm.New[*AttiyaWelchMutex](AttiyaWelch(layout, stores), n)
}

func buildAttiyaWelch(b shm.Build) shm.Mutex {
	return &AttiyaWelchMutex{buildPriority(b).(*PriorityMutex)}
}

// Unlock releases the lock for process i.
func (l *AttiyaWelchMutex) Unlock(i int) {
	if me := uint32(i); l.priority.Load() == me { // 7
		l.priority.StoreReleaseIf(l.released, 1-me) // 7
	}
	l.want[i].StoreReleaseIf(l.released, 0) // 8
}
