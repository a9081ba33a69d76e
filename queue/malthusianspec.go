package queue

import "shmbench/shm"

var malthusianLocks = shm.Source{
	Author: "Dave Dice",
	Title:  "Malthusian Locks",
	Venue:  "EuroSys",
	Year:   2017,
	Page:   "314-327",
}

// Malthusian returns the specification of the Malthusian MCS lock, with its queue nodes
// laid out and its stores made as told.
func Malthusian(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "queue/malthusian",
		Title:  "Malthusian MCS list lock",
		Source: malthusianLocks,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "2n-3, but 4 for n=3", At: malthusianBypass},
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "locked", Count: shm.N, Values: shm.Const(2)},
			{Name: "turn", Count: shm.Const(1), Values: shm.Const(malthusianPeriod)},
			{Name: "count", Count: shm.Const(1), Values: shm.NMinus1},
			{Name: "first", Count: shm.Formula{Text: "1 for n>2", At: func(n int) int { return min(max(n-2, 0), 1) }}, Values: nMinus2},
			{Name: "passive", Count: nMinus2, Values: shm.NPlus1},
		},
	}.Built(layout, stores, buildMalthusian)
}

// nMinus2 is how many processes can be passive.
var nMinus2 = shm.Formula{Text: "n-2 for n>=2", At: func(n int) int { return max(n-2, 0) }}

// malthusianBypass: while a process is passive, one of those that are elder is let in
// every other time, which makes 2n-3 if all others are; and n+1 pass one that all
// others are before, each linked too late to be taken out itself.
func malthusianBypass(n int) int {
	if n == 3 {
		return 4
	}
	return max(2*n-3, 0)
}
