// Package fcfs holds locks that serve processes first come, first served, with
// registers of a few bits.
//
// # Over any lock
//
// Most are wrappers. A process looks in its doorway which processes arrived before it, and
// leaves a mark for those that arrive later. Then it waits for those that it saw. A wrapper
// goes over any deadlock-free lock, and makes it starvation-free and first-come-first-served:
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
// Hesselink13 and AravindF3 share a bit of their doorway with the inner lock, which is the
// one-bit lock. AravindBLRU is not first-come-first-served: the process that was served least
// recently goes first.
package fcfs

import (
	"shmbench/shm"
	"shmbench/shm/register"
)

// flagged is a lock in which each process has a bit that also belongs to the doorway of
// a wrapper.
type flagged interface {
	shm.Mutex
	// Flag returns the bit of process i.
	Flag(i int) *register.Bool
}

// Over returns a lock for n processes that is first-come-first-served and starvation-free:
// Hesselink24Mutex, its registers padded, over the lock that inner builds, which need only be
// deadlock-free. It returns inner's error, or a *shm.ProcsError.
func Over(n int, inner func(n int) (shm.Mutex, error)) (shm.Mutex, error) {
	return NewHesselink24(n, shm.Padded, shm.Sequential, inner)
}

// over returns the specification of a wrapper over the lock of another specification. It has
// the registers of both, and the operations of the inner lock. New builds the inner lock, and
// lock the wrapper.
func over(inner, wrapper shm.Algorithm, layout shm.Layout, stores shm.Stores, lock func(shm.Build, shm.Mutex) shm.Mutex) shm.Algorithm {
	wrapper.Class = inner.Class
	wrapper.MinProcs, wrapper.MaxProcs = inner.MinProcs, inner.MaxProcs
	wrapper.Space = append(wrapper.Space, inner.Space...)
	return wrapper.BuiltOver(inner, layout, stores, lock)
}

// newOver returns a wrapper for n processes over the lock that inner builds. It returns inner's
// error, or a *shm.ProcsError under the name of the wrapper.
func newOver[M shm.Mutex](name string, n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error), lock func(shm.Build, shm.Mutex) shm.Mutex) (M, error) {
	return shm.New[M](shm.Algorithm{Name: name}.BuiltOver(shm.Algorithm{New: inner}, layout, stores, lock), n)
}

// served has the claims of a lock that is first-come-first-served by a doorway that ends with
// a line. Over the one-bit lock and Burns and Lynch's lock, remote references are bounded,
// which neither lock has by itself: a process goes back there only for processes with lower
// numbers, and each of these arrives a bounded number of times.
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

// times is the formula of a number of registers: the number of processes, times a factor.
func times(factor int, text string) shm.Formula {
	return shm.Formula{Text: text, At: func(n int) int { return factor * n }}
}

// private returns, for each of n processes, n words that only this process uses.
func private[T any](n int) []shm.Array[T] {
	all := make([]shm.Array[T], n)
	for i := range all {
		all[i] = shm.NewArray[T](n, shm.Packed)
	}
	return all
}
