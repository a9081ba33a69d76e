package knownbroken

import (
	"slices"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
	"shmbench/tournament"
)

// styer is a reading of the outline of a fast path that was printed in 1992. The index ranges
// of the outline fit no program that can be run. So this lock has index ranges of our own:
// groups of two in one level. The error is in the exit section, which is that of the outline.
// It clears Lock and Block of a process that has set them: a slow leaving process opens the
// way for others while a fast process stands before its last read of Turn and Block.
var styer = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/styer-reading",
		Title: "A reading of Styer's fast path",
		Source: shm.Source{
			Author: "Eugene Styer",
			Title:  "Improving fast mutual exclusion",
			Venue:  "ACM Symposium on Principles of Distributed Computing",
			Year:   1992,
			Page:   "159-168",
		},
		Reconstructed: true,
		Class:         shm.ReadWrite,
		MinProcs:      2,
		MaxProcs:      shm.MaxProcs,
		Claims:        shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: append(shm.Space{
			{Name: "w", Count: shm.N, Values: shm.Const(3), SingleWriter: true},
			{Name: "s", Count: shm.Formula{Text: "ceil(n/2)", At: func(n int) int { return (n + 1) / 2 }}, Values: shm.N},
			{Name: "turn", Count: shm.N, Values: shm.N}, // its own, and those of the tree
			{Name: "lock", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "block", Count: shm.Const(1), Values: shm.Const(2)},
		}, slices.DeleteFunc(tournament.PetersonBuhr(shm.Packed, shm.Sequential).Space, func(r shm.Registers) bool { return r.Name == "turn" })...),
	},
	Read:     "github.com/pabuhr/concurrent-locking, Styer.c, commit f32f830c225c1fbfb6552c89364d0d37de99b977: the outline of fig. 1, p. 162, with a note; its header names another conference",
	Claimed:  "mutual exclusion and freedom from starvation; the note names lemmas 3.1 and 3.2, which the program's authors hold to be wrong, and not what each states",
	Property: exclusion,
	Verdict:  "a slow process clears lock and block in its exit section. A fast process that passed lock earlier and one that passes it now both enter.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    39,
	Fix:      "none was published",
}, func(n int) shm.Mutex {
	tree, err := tournament.NewPetersonBuhr(n, shm.Packed, shm.Sequential)
	if err != nil {
		panic(err)
	}
	return &styerReading{w: make([]atomic.Uint32, n), s: make([]atomic.Uint32, (n+1)/2), tree: tree}
})

// styerReading is a fast path before a tree of locks:
//
//	entry section of process i:
//	1  w[i] := fast
//	2  turn := i
//	3  if not lock then
//	4      s[i/2] := i
//	5      lock := true
//	6      if turn = i and not block then enter
//	7  w[i] := slow; enter tree as process i
//	8  block := true
//	9  for each group g: wait until w[s[g]] is not fast
//	10     if it is slow then for each k in g: wait until w[k] is not fast
//	exit section of process i:
//	11 lock := false
//	12 if w[i] = fast then
//	13     w[i] := out
//	   else
//	14     block := false
//	15     w[i] := out; leave tree as process i
type styerReading struct {
	w     []atomic.Uint32
	s     []atomic.Uint32
	turn  atomic.Uint32
	lock  atomic.Bool
	block atomic.Bool
	tree  shm.Mutex
}

// The values of w.
const (
	styerOut uint32 = iota
	styerFast
	styerSlow
)

func (l *styerReading) Lock(i int) {
	me := uint32(i)
	l.w[i].Store(styerFast) // 1
	l.turn.Store(me)        // 2
	if !l.lock.Load() {     // 3
		l.s[i/2].Store(me)                          // 4
		l.lock.Store(true)                          // 5
		if l.turn.Load() == me && !l.block.Load() { // 6
			return
		}
	}
	l.w[i].Store(styerSlow) // 7
	l.tree.Lock(i)          // 7
	l.block.Store(true)     // 8
	for g := range l.s {
		var last uint32
		spin.Until(func() bool { // 9
			last = l.w[l.s[g].Load()].Load()
			return last != styerFast
		})
		for k := 2 * g; last == styerSlow && k < min(2*g+2, len(l.w)); k++ {
			spin.Until(func() bool { return l.w[k].Load() != styerFast }) // 10
		}
	}
}

func (l *styerReading) Unlock(i int) {
	l.lock.Store(false)             // 11
	if l.w[i].Load() == styerFast { // 12
		l.w[i].Store(styerOut) // 13
		return
	}
	l.block.Store(false)   // 14
	l.w[i].Store(styerOut) // 15
	l.tree.Unlock(i)       // 15
}
