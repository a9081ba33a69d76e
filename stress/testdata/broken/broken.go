// Package broken has locks with one fault each, of the kinds that people make.
// How many of them a run finds is what it is worth.
package broken

import (
	"shmbench/shm"
)

var (
	live = shm.Claims{DeadlockFree: true}
	free = shm.Claims{DeadlockFree: true, StarvationFree: true}
	fair = shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, FCFS: true, Doorway: "1"}
)

// All returns all of them.
func All() []shm.Algorithm {
	return []shm.Algorithm{TestThenSet, TurnFirst, EarlyFlag, Wrap16, Reset16, FourSlots, PidMask, LostBias, Recycled, NoWaitForNext,
		OwnNode, UnfairTAS, LIFO, RareSkip, Impatient, FastNoSecondLook, NoChoosing, SmallNumbers, TwoPermits, LostWakeup,
		CrossedPair, LowFirst, CutQueue, PlainFlag, PanicsLate, WeakRelease, Wrap8Slots, ForgetsAbsent}
}

func spec(name string, claims shm.Claims, most int, lock func(n int) shm.Mutex) shm.Algorithm {
	return shm.Algorithm{Name: "broken/" + name, Class: shm.Opaque, MaxProcs: most, Claims: claims}.
		Built(shm.Packed, shm.Sequential, func(b shm.Build) shm.Mutex { return lock(b.N) })
}
