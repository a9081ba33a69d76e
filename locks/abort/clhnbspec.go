package abort

import (
	"fmt"

	"shmbench/shm"
)

// nonBlocking is the paper of the first queue locks in which giving up does not wait.
var nonBlocking = shm.Source{
	Author: "Michael L. Scott",
	Title:  "Non-Blocking Timeout in Scalable Queue-Based Spin Locks",
	Venue:  "21st ACM Symposium on Principles of Distributed Computing",
	Year:   2002,
	Page:   "31-40",
}

// CLHNB returns the specification of the CLH lock with non-blocking timeout for a layout of
// its records and for its stores.
func CLHNB(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "abort/clhnb",
		Title:    "CLH lock with non-blocking timeout, CLH-NB",
		Source:   nonBlocking,
		Class:    shm.Swap | shm.CompareAndSwap,
		Explored: shm.Explored{Mixed: 2},
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				DeadlockFree:  true,
				Writers:       shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "4"},
				WaitFreeAbort: true,
			},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: allRecords(1)},
			{Name: "prev", Count: allRecords(0), Values: shm.Formula{Text: "records of the others, and 2", At: func(n int) int { return records*(n-1) + 2 }}, SingleWriter: true},
			{Name: "allocated", Count: allRecords(0), Values: shm.Const(2)},
		},
	}.Built(layout, stores, buildCLHNB)
}

// allRecords is the number of records plus a constant.
func allRecords(more int) shm.Formula {
	return shm.Formula{Text: fmt.Sprintf("%dn+%d", records, more), At: func(n int) int { return records*n + more }}
}
