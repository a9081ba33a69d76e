package elevator

import (
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// trylock chooses the leader: of those that try while fast is false, one wins and
// sets it.
type trylock interface {
	// try reports whether process i has won. It is weak if a process may fail
	// although nobody has won yet; somebody who is in its try then wins.
	try(i int) bool
	// reset sets fast to false.
	reset()
}

// trial is a kind of trylock, as the cards of the locks have it.
type trial struct {
	suffix, title string
	class         shm.Class
	weakest       shm.Weakest
	doorway       string // the label of the first line with a fence, or a compare-and-swap
	space         shm.Space
	newTrylock    func(n int, layout shm.Layout, released bool) trylock
}

var fast = shm.Registers{Name: "fast", Count: shm.Const(1), Values: shm.Const(2)}

// atomically is what a lock of reads and writes keeps on atomic registers only.
var atomically = shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic}

var byCAS = trial{
	title:   "by compare-and-swap",
	class:   shm.CompareAndSwap,
	doorway: "2",
	space:   shm.Space{fast},
	newTrylock: func(int, shm.Layout, bool) trylock {
		return &casTrylock{newWord[register.Bool]()}
	},
}

// casTrylock is one compare-and-swap:
//
//	return compare-and-swap(fast, false, true)
type casTrylock struct{ fast *register.Bool }

func (t *casTrylock) try(int) bool { return t.fast.CompareAndSwap(false, true) }

func (t *casTrylock) reset() {
	t.fast.Store(false) // 5
}

var byBurnsLynch = trial{
	suffix:  "bl",
	title:   "after Burns and Lynch",
	weakest: atomically,
	doorway: "B1",
	space:   shm.Space{fast, {Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true}},
	newTrylock: func(n int, layout shm.Layout, released bool) trylock {
		return &burnsLynchTrylock{casTrylock{newWord[register.Bool]()}, released, shm.NewArray[register.Bool](n, layout)}
	},
}

// burnsLynchTrylock is weak, and of reads and writes alone: fast is looked at in the
// critical section of Burns and Lynch's lock, in which a process does not wait for
// the lower ones, but fails. The lowest that is in B1 to B7 does not.
//
//	B1  b[i] := true
//	B2  if b[j] for some j < i then
//	B3      b[i] := false; return false
//	B4  for all j > i: wait until b[j] = false
//	B5  won := fast = false
//	B6  if won then fast := true
//	B7  b[i] := false; return won
type burnsLynchTrylock struct {
	casTrylock
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
	newTrylock: func(n int, layout shm.Layout, released bool) trylock {
		r := shm.NewArray[register.Uint32](2, layout)
		t := &lamportTrylock{casTrylock{newWord[register.Bool]()}, released, uint32(n), shm.NewArray[register.Bool](n, layout), r.At(0), r.At(1)}
		t.y.Store(t.free)
		return t
	},
}

// lamportTrylock is weak, and of reads and writes alone: fast is looked at in the
// critical section of Lamport's fast lock, in which a process does not wait for y,
// but fails. Whoever y names does not.
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
	casTrylock
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
