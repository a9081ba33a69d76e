package elevator

import "shmbench/shm"

// Flag returns the specification of the linear elevator with a flag a process, its leader
// chosen by compare-and-swap for a layout of its registers and for its stores.
//
// It is LinearMutex with flag[0..n] for first: flag[i] is true when it is the turn of
// process i, and flag[n] when it is no process's, so that each process waits for a
// register of its own, and a leader for two. Line 4 sets flag[n] and flag[i] to false,
// line 6 flag[i] when it is true, and line 9 flag[k] to true.
//
// Released stores: those of LinearMutex, and the flags' too: a process's own is true
// again only after it has applied again.
//
// Deviations: a leader sets its flag to false before line 5, and not after it, so
// that the fence of line 5 is enough.
func Flag(layout shm.Layout, stores shm.Stores) shm.Algorithm { return flag(byCAS, layout, stores) }

// FlagBL returns the specification of the linear elevator of reads and writes with a flag a
// process whose leader is chosen after Burns and Lynch.
func FlagBL(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return flag(byBurnsLynch, layout, stores)
}

// FlagLF returns the specification of the linear elevator of reads and writes with a flag a
// process whose leader is chosen after Lamport's fast lock.
func FlagLF(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return flag(byLamport, layout, stores)
}

func flag(by trial, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return linear(by, "flag", "Linear elevator with a flag a process", newFlagTurn, layout, stores,
		shm.Registers{Name: "flag", Count: shm.NPlus1, Values: shm.Const(2)})
}
