package queue

import "shmbench/shm"

var malthusianLocks = shm.Source{
	Author: "Dave Dice",
	Title:  "Malthusian Locks",
	Venue:  "EuroSys",
	Year:   2017,
	Page:   "314-327",
}

// Malthusian returns the specification of the Malthusian MCS lock for a layout of its queue
// nodes and for its stores.
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

// nMinus2 is the most processes that can be passive.
var nMinus2 = shm.Formula{Text: "n-2 for n>=2", At: func(n int) int { return max(n-2, 0) }}

// malthusianBypass: while a process is passive, every second entry is that of an elder passive
// process, which makes 2n-3 entries if all others are elder. A process behind all others is
// passed n+1 times if each of them is linked too late to become passive itself.
func malthusianBypass(n int) int {
	if n == 3 {
		return 4
	}
	return max(2*n-3, 0)
}
