package elevator

import "shmbench/shm"

// Flag returns the specification of the linear elevator with a flag for each process, for a
// layout of its registers and for its stores. The leader is chosen by compare-and-swap.
//
// It is LinearMutex with flag[0..n] instead of first: flag[i] is true when process i has the
// turn, and flag[n] when no process has it. So each process waits for a register of its own,
// and a leader for two. Line 4 sets flag[n] and flag[i] to false, line 6 sets flag[i] to false
// when it is true, and line 9 sets flag[k] to true.
//
// Released stores: those of LinearMutex, and those of the flags: the flag of a process is true
// again only after the process has applied again.
//
// Deviations: a leader sets its flag to false before line 5 and not after it, so that the
// fence of line 5 is enough.
func Flag(layout shm.Layout, stores shm.Stores) shm.Algorithm { return flag(byCAS, layout, stores) }

// FlagBL returns the specification of the linear elevator of reads and writes with a flag for
// each process. Its leader is chosen after Burns and Lynch.
func FlagBL(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return flag(byBurnsLynch, layout, stores)
}

// FlagLF returns the specification of the linear elevator of reads and writes with a flag for
// each process. Its leader is chosen after Lamport's fast lock.
func FlagLF(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return flag(byLamport, layout, stores)
}

func flag(by trial, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return linear(by, "flag", "Linear elevator with a flag a process", newFlagTurn, layout, stores,
		shm.Registers{Name: "flag", Count: shm.NPlus1, Values: shm.Const(2)})
}
