package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// threeBitZ is Lamport's three-bit lock as a paper once modeled it, to show that pseudo-code
// needs care. First the model collects the processes that have y set. Then it reads z where
// the definition of the first process names it, which is twice. A process that leaves in
// between is seen with both values of its z.
var threeBitZ = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/threebit-z",
		Title: "Lamport's three-bit lock, z read twice",
		Source: shm.Source{
			Author: "Myrthe S. C. Spronck and Bas Luttik",
			Title:  "Process-Algebraic Models of Multi-Writer Multi-Reader Non-Atomic Registers",
			Venue:  "34th International Conference on Concurrency Theory",
			Year:   2023,
			Page:   "5:1-5:17",
		},
		Class:    shm.ReadWrite,
		MinProcs: 2,
		MaxProcs: 16,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "x", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "y", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "z", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
	},
	Read: "github.com/mCRL2org/mCRL2, examples/academic/non-atomic_registers, commit 972629b3a350b348d436ac10eba55b7874a5b292: Readme.md and " +
		"Lamport_3bit_incorrect_z, an interpretation that \"appears to be reasonable at first sight, but turns out to be incorrect\"",
	Claimed:  "mutual exclusion and starvation freedom, by Lamport, of the text that this lock interprets",
	Property: panics,
	Verdict:  "the waiting processes see both values of z of a process that leaves, and none of them is the first.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    31,
	Fix:      "z is read once for each process that has y set",
	Fixed:    "burns/threebit",
}, func(n int) shm.Mutex {
	return &threeBitTwice{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Bool, n)}
})

// threeBitTwice is the lock:
//
//	entry section of process i:
//	1  y[i] := true
//	2  x[i] := true
//	3  g := the processes j that have y[j] set, in order
//	4  f := the first of g at which z changes: g[0] if z[g[0]] = z[the last of g],
//	        g[k] if z[g[k]] is not z[g[k-1]]
//	5  for j := f, f+1, ..., round to i-1: if y[j] then
//	6      if x[i] then x[i] := false
//	       goto 3
//	7  if not x[i] then goto 2
//	8  for j := i+1, i+2, ..., round to f-1: if x[j] then goto 3
//	exit section:
//	9  z[i] := not z[i]
//	10 x[i] := false
//	11 y[i] := false
type threeBitTwice struct{ x, y, z []atomic.Bool }

func (l *threeBitTwice) Lock(i int) {
	n := len(l.x)
	l.y[i].Store(true) // 1
	l.x[i].Store(true) // 2
	for ; ; spin.Pause() {
		f := l.first()
		j := f
		for j != i && !l.y[j].Load() { // 5
			j = (j + 1) % n
		}
		if j != i {
			if l.x[i].Load() { // 6
				l.x[i].Store(false) // 6
			}
			continue
		}
		if !l.x[i].Load() { // 7
			l.x[i].Store(true) // 2
			continue
		}
		j = (i + 1) % n
		for j != f && !l.x[j].Load() { // 8
			j = (j + 1) % n
		}
		if j == f {
			return
		}
	}
}

// first is lines 3 and 4.
func (l *threeBitTwice) first() int {
	var ids [16]int
	g := ids[:0]
	for j := range l.y {
		if l.y[j].Load() { // 3
			g = append(g, j)
		}
	}
	if l.z[g[len(g)-1]].Load() == l.z[g[0]].Load() { // 4
		return g[0]
	}
	k := 1
	for l.z[g[k-1]].Load() == l.z[g[k]].Load() { // 4
		k++
	}
	return g[k]
}

func (l *threeBitTwice) Unlock(i int) {
	l.z[i].Store(!l.z[i].Load()) // 9
	l.x[i].Store(false)          // 10
	l.y[i].Store(false)          // 11
}
