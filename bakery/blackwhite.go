package bakery

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// BlackWhite returns the specification of the black-white bakery for a layout of its registers
// and for its stores.
func BlackWhite(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "bakery/blackwhite",
		Title: "Black-white bakery",
		Source: shm.Source{
			Author: "Gadi Taubenfeld",
			Title:  "The Black-White Bakery Algorithm and Related Bounded-Space, Adaptive, Local-Spinning and FIFO Algorithms",
			Venue:  "Distributed Computing (DISC), LNCS 3274",
			Year:   2004,
			Page:   "56-70",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "color", Count: shm.Const(1), Values: shm.Const(2)},
			{Name: "choosing", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "ticket", Count: shm.N, Values: shm.Formula{Text: "2(n+1)", At: func(n int) int { return 2 * (n + 1) }}, SingleWriter: true},
		},
	}.Built(layout, stores, buildBlackWhite)
}

// BlackWhiteMutex is the bakery with tickets of two colors, so that the numbers are bounded. A
// process takes the current color and a number greater than all of this color. Tickets of the
// other color come first.
//
// Source: Gadi Taubenfeld, "The Black-White Bakery Algorithm and Related
// Bounded-Space, Adaptive, Local-Spinning and FIFO Algorithms", DISC 2004, LNCS
// 3274, p. 56-70, algorithm 2; in the form of Wim H. Hesselink, "Correctness and
// Concurrent Complexity of the Black-White Bakery Algorithm", Formal Aspects of
// Computing 28, 2016, p. 325-341, figure 1. After TaubenfeldBWBakery.c and
// HesselinkBWBakery.c (github.com/pabuhr/concurrent-locking), which cite them.
//
// Registers: color, a bit, written by the process in its critical section and
// read by all; choosing[i], a boolean, and ticket[i], a number of 0..n and a
// color, both written by process i only and read by all.
//
// Properties: a leaving process sets color to the opposite of its own. While there are tickets
// of that color, new tickets have the other color and wait for them. The new tickets begin
// again with 1, so no number is greater than n. Mutual exclusion, because the smaller (number,
// id) of two tickets of one color is first. With two colors, the ticket that differs from
// color is first. First-come-first-served, because a process that finds a ticket takes a
// larger number, or a color that comes later. So the bypass is n-1 and no process starves. All
// this is for atomic registers: on regular ones a process may read the new color and the next
// process still the old one. Then numbers exceed n, and three processes can lose exclusion.
//
// The doorway is lines 1 to 4.
//
//	entry section of process i:
//	1  choosing[i] := true
//	2  mycolor := color
//	3  ticket[i] := (1 + max of the numbers of all ticket[j] of mycolor, mycolor)
//	4  choosing[i] := false
//	5  for j := 0 to n-1, except i:
//	6      wait until choosing[j] = false
//	7      if ticket[j] has mycolor then
//	8          wait until ticket[j] has number 0, or not mycolor, or (number, j) > (mine, i)
//	       else
//	9          wait until ticket[j] has number 0, or mycolor, or
//	10             color is not mycolor
//	exit section of process i:
//	11 color := the other of mycolor
//	12 ticket[i] := (0, mycolor)
//
// Released stores: line 3, which line 4, with its fence, takes to memory before
// anything is read again; lines 11 and 12, which leave the critical section, in
// this order, and are in memory before the fence of the next line 1.
//
// Deviations: processes are numbered from 0. On lines 8 and 9 a process reads a ticket once,
// as in Hesselink's form. Taubenfeld's form reads its number and its color one after the
// other, as the mutant blackwhite-fields-apart does.
type BlackWhiteMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	mycolor  shm.Array[uint32] // mycolor[i] is private to process i
	color    *register.Uint32
	choosing shm.Array[atomic.Bool]
	ticket   shm.Array[register.Uint32] // 2*number + color
}

// NewBlackWhite returns a black-white bakery for n processes, or a
// *shm.ProcsError.
func NewBlackWhite(n int, layout shm.Layout, stores shm.Stores) (*BlackWhiteMutex, error) {
	return shm.New[*BlackWhiteMutex](BlackWhite(layout, stores), n)
}

func buildBlackWhite(b shm.Build) shm.Mutex {
	color := shm.NewArray[register.Uint32](1, b.Layout)
	return &BlackWhiteMutex{
		released: b.Released,
		n:        b.N,
		mycolor:  shm.NewArray[uint32](b.N, shm.Padded),
		color:    color.At(0),
		choosing: shm.NewArray[atomic.Bool](b.N, b.Layout),
		ticket:   shm.NewArray[register.Uint32](b.N, b.Layout),
	}
}

// Lock acquires the lock for process i.
func (l *BlackWhiteMutex) Lock(i int) {
	l.choosing.At(i).Store(true)                                // 1
	mycolor := l.color.Load()                                   // 2
	number := 1 + l.max(i, mycolor)                             // 3
	l.ticket.At(i).StoreReleaseIf(l.released, 2*number+mycolor) // 3
	l.choosing.At(i).Store(false)                               // 4
	for j := range l.n {                                        // 5
		if j == i {
			continue
		}
		spin.Until(func() bool { return !l.choosing.At(j).Load() }) // 6
		if l.ticket.At(j).Load()%2 == mycolor {                     // 7
			spin.Until(func() bool { // 8
				ticket := l.ticket.At(j).Load()
				other := ticket / 2
				return other == 0 || ticket%2 != mycolor || other > number || other == number && j > i
			})
		} else {
			spin.Until(func() bool {
				ticket := l.ticket.At(j).Load()                                          // 9
				return ticket/2 == 0 || ticket%2 == mycolor || l.color.Load() != mycolor // 10
			})
		}
	}
	*l.mycolor.At(i) = mycolor
}

// Unlock releases the lock for process i.
func (l *BlackWhiteMutex) Unlock(i int) {
	mycolor := *l.mycolor.At(i)
	l.color.StoreReleaseIf(l.released, 1-mycolor)      // 11
	l.ticket.At(i).StoreReleaseIf(l.released, mycolor) // 12
}

// max returns the largest number of the tickets of a color but that of process i,
// reading them one after another.
func (l *BlackWhiteMutex) max(i int, color uint32) uint32 {
	var m uint32
	for j := range l.n {
		if j == i {
			continue
		}
		if ticket := l.ticket.At(j).Load(); ticket%2 == color {
			m = max(m, ticket/2)
		}
	}
	return m
}
