// Package fcfs holds locks that serve processes first come, first served, with
// registers of a few bits.
//
// # Over any lock
//
// Most are wrappers: a doorway, in which a process looks who came before it and
// leaves a mark for those who come after it, and a wait for those it saw. They go
// over a lock of any kind that is free from deadlock, which they make one without
// lockout, and first-come-first-served:
//
//	NewHesselink24          one register of 7 values a process, and the fewest accesses
//	NewHesselink15          three bits
//	NewHesselink15Exit      three bits, and an exit section that may wait
//	NewAravindF4            three bits
//	NewLycklamaHadzilacos   four bits
//	NewLycklamaBuhr         two bits and a register of three values
//
// Over takes the first of them. The inner lock is built by a function such as the New
// of its specification. A wrapper adds reads and writes only. The specifications have the
// inner lock of the publication or of its program: the one-bit lock of package burns, or
// Burns and Lynch's for Hesselink15 and Hesselink24. Hesselink24TAS goes over test-and-set.
//
// Hesselink13 and AravindF3 share their doorway's bit with the inner lock. They go over
// OneBit, as published, and over BurnsLynch, as in the headers of a suite of locks.
// They go over no other. AravindBLRU is not first-come-first-served: it serves those first
// that have been served least recently.
package fcfs

import (
	"shmbench/burns"
	"shmbench/register"
	"shmbench/shm"
)

// Flagged is a lock in which each process has a bit that also belongs to the doorway of
// a wrapper.
type Flagged interface {
	shm.Mutex
	// Flag returns the bit of process i.
	Flag(i int) *register.Bool
}

// OneBit returns a function that builds the one-bit lock of package burns.
func OneBit(layout shm.Layout, stores shm.Stores) func(n int) (Flagged, error) {
	return func(n int) (Flagged, error) { return burns.NewOneBit(n, layout, stores) }
}

// BurnsLynch returns a function that builds Burns and Lynch's lock.
func BurnsLynch(layout shm.Layout, stores shm.Stores) func(n int) (Flagged, error) {
	return func(n int) (Flagged, error) { return burns.NewBurnsLynch(n, layout, stores) }
}

// Over returns a lock for n processes that is first-come-first-served and without
// lockout: Hesselink24Mutex, its registers padded, over the lock that inner builds,
// which need only be free from deadlock. It returns inner's error, or a
// *shm.ProcsError.
func Over(n int, inner func(n int) (shm.Mutex, error)) (shm.Mutex, error) {
	return NewHesselink24(n, shm.Padded, shm.Sequential, inner)
}

// over returns the specification of a wrapper over the lock of another specification: with
// the registers of both, and the operations of the inner one.
func over(inner, wrapper shm.Algorithm) shm.Algorithm {
	wrapper.Class = inner.Class
	wrapper.MinProcs, wrapper.MaxProcs = inner.MinProcs, inner.MaxProcs
	wrapper.Space = append(wrapper.Space, inner.Space...)
	return wrapper
}

// served are the claims of a lock that is first-come-first-served by a doorway that
// ends with a line. Over the one-bit lock and Burns and Lynch's they have bounded remote
// references, which neither has alone: a process that goes back there does so for processes of
// a lower number, and each of these comes a bounded number of times.
func served(doorway string, weakest shm.Weakest) shm.Claims {
	return shm.Claims{
		DeadlockFree:   true,
		StarvationFree: true,
		Bypass:         shm.NMinus1,
		FCFS:           true,
		Doorway:        doorway,
		LocalSpin:      shm.LocalSpin{CC: true},
		Weakest:        weakest,
	}
}

// times is the formula of as many registers as processes, times a factor.
func times(factor int, text string) shm.Formula {
	return shm.Formula{Text: text, At: func(n int) int { return factor * n }}
}

// private returns for each of n processes as many words that only it uses.
func private[T any](n int) []shm.Array[T] {
	all := make([]shm.Array[T], n)
	for i := range all {
		all[i] = shm.NewArray[T](n, shm.Packed)
	}
	return all
}
