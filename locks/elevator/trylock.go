package elevator

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// trylock chooses the leader: while fast is false, one of the processes that try wins and sets
// fast.
type trylock struct {
	fast *register.Bool
	weak weak // nil if it is one compare-and-swap
}

// weak is a trylock of reads and writes in which a process may fail although no process has
// won yet. A process that is still in its try then wins.
type weak interface{ try(i int) bool }

// try reports whether process i has won. Without a weak trylock it is
//
//	return compare-and-swap(fast, false, true)
func (t *trylock) try(i int) bool {
	if t.weak != nil {
		return t.weak.try(i)
	}
	return t.fast.CompareAndSwap(false, true)
}

// reset lets the next process win.
func (t *trylock) reset() {
	t.fast.Store(false) // 5
}

// trial is a kind of trylock for the specifications of the locks.
type trial struct {
	suffix, title string
	class         shm.Class
	weakest       shm.Weakest
	doorway       string // the label of the first line with a fence, or a compare-and-swap
	space         shm.Space
	newWeak       func(fast *register.Bool, n int, layout shm.Layout, released bool) weak // or nil
}

func (by trial) newTrylock(n int, layout shm.Layout, released bool) trylock {
	fast := newWord[register.Bool]()
	return trylock{fast, by.newWeak(fast, n, layout, released)}
}

var fast = shm.Registers{Name: "fast", Count: shm.Const(1), Values: shm.Const(2)}

// atomically is what a lock of reads and writes keeps on atomic registers only.
var atomically = shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic}

var byCAS = trial{
	title:   "by compare-and-swap",
	class:   shm.CompareAndSwap,
	doorway: "2",
	space:   shm.Space{fast},
	newWeak: func(*register.Bool, int, shm.Layout, bool) weak { return nil },
}

var byBurnsLynch = trial{
	suffix:  "bl",
	title:   "after Burns and Lynch",
	weakest: atomically,
	doorway: "B1",
	space:   shm.Space{fast, {Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true}},
	newWeak: func(fast *register.Bool, n int, layout shm.Layout, released bool) weak {
		return &burnsLynchTrylock{fast, released, shm.NewArray[register.Bool](n, layout)}
	},
}

// burnsLynchTrylock is weak, and uses only reads and writes: fast is read in the critical
// section of Burns and Lynch's lock, in which a process fails instead of waiting for lower
// ones. The lowest process in B1 to B7 does not fail.
//
//	B1  b[i] := true
//	B2  if b[j] for some j < i then
//	B3      b[i] := false; return false
//	B4  for all j > i: wait until b[j] = false
//	B5  won := fast = false
//	B6  if won then fast := true
//	B7  b[i] := false; return won
type burnsLynchTrylock struct {
	fast     *register.Bool
	released bool
	b        shm.Array[register.Bool]
}

func (t *burnsLynchTrylock) try(i int) bool {
	t.b.At(i).Store(true) // B1
	for j := range i {
		if t.b.At(j).Load() { // B2
			t.b.At(i).Store(false) // B3
			return false
		}
	}
	for j := i + 1; j < t.b.Len(); j++ {
		spin.Until(func() bool { return !t.b.At(j).Load() }) // B4
	}
	won := !t.fast.Load() // B5
	if won {
		t.fast.StoreReleaseIf(t.released, true) // B6
	}
	t.b.At(i).Store(false) // B7
	return won
}

var byLamport = trial{
	suffix:  "lf",
	title:   "after Lamport's fast lock",
	weakest: atomically,
	doorway: "F2",
	space: shm.Space{
		fast,
		{Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		{Name: "x", Count: shm.Const(1), Values: shm.N},
		{Name: "y", Count: shm.Const(1), Values: shm.NPlus1},
	},
	newWeak: func(fast *register.Bool, n int, layout shm.Layout, released bool) weak {
		r := shm.NewArray[register.Uint32](2, layout)
		t := &lamportTrylock{fast, released, uint32(n), shm.NewArray[register.Bool](n, layout), r.At(0), r.At(1)}
		t.y.Store(t.free)
		return t
	},
}

// lamportTrylock is weak, and uses only reads and writes: fast is read in the critical section
// of Lamport's fast lock, in which a process fails instead of waiting for y. A process named
// by y does not fail.
//
//	F1  b[i] := true
//	F2  x := i
//	F3  if y is not n then
//	F4      b[i] := false; return false
//	F5  y := i
//	F6  if x is not i then
//	F7      b[i] := false
//	F8      for all j: wait until b[j] = false
//	F9      if y is not i then return false
//	F10 won := fast = false
//	F11 if won then fast := true
//	F12 y := n
//	F13 b[i] := false; return won
type lamportTrylock struct {
	fast     *register.Bool
	released bool
	free     uint32 // n
	b        shm.Array[register.Bool]
	x, y     *register.Uint32
}

func (t *lamportTrylock) try(i int) bool {
	me := uint32(i)
	t.b.At(i).StoreReleaseIf(t.released, true) // F1
	t.x.Store(me)                              // F2
	if t.y.Load() != t.free {                  // F3
		t.b.At(i).Store(false) // F4
		return false
	}
	t.y.Store(me)         // F5
	if t.x.Load() != me { // F6
		t.b.At(i).Store(false) // F7
		for j := range t.b.Len() {
			spin.Until(func() bool { return !t.b.At(j).Load() }) // F8
		}
		if t.y.Load() != me { // F9
			return false
		}
	}
	won := !t.fast.Load() // F10
	if won {
		t.fast.StoreReleaseIf(t.released, true) // F11
	}
	t.y.StoreReleaseIf(t.released, t.free) // F12
	t.b.At(i).Store(false)                 // F13
	return won
}

// newWord returns a register on cache lines of its own.
func newWord[T any]() *T {
	r := shm.NewArray[T](1, shm.Padded)
	return r.At(0)
}
