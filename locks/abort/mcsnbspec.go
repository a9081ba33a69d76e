package abort

import "shmbench/shm"

// MCSNB returns the specification of the MCS lock with non-blocking timeout for a layout of
// its records and for its stores.
func MCSNB(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:          "abort/mcsnb",
		Title:         "MCS lock with non-blocking timeout, MCS-NB",
		Source:        nonBlocking,
		Reconstructed: true,
		Class:         shm.Swap | shm.CompareAndSwap,
		Explored:      shm.Explored{Mixed: 2},
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed: shm.Mixed{
				DeadlockFree:  true,
				Writers:       shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "3"},
				WaitFreeAbort: true,
			},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: allRecords(1)},
			{Name: "prev", Count: allRecords(0), Values: shm.Formula{Text: "records of the others, and 1", At: func(n int) int { return records*(n-1) + 1 }}, Own: true},
			{Name: "next", Count: allRecords(0), Values: allRecords(3), Own: true},
			{Name: "status", Count: allRecords(0), Values: shm.Const(6), Own: true},
		},
	}.Built(layout, stores, buildMCSNB)
}
