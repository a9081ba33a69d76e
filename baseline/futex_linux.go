package baseline

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"shmbench/shm"
)

// Futex is the specification of the three-state futex mutex.
var Futex = shm.Algorithm{
	Name:  "baseline/futex",
	Title: "Three-state futex mutex",
	Source: shm.Source{
		Author: "Ulrich Drepper",
		Title:  "Futexes Are Tricky",
		Venue:  "Red Hat",
		Year:   2011,
		Page:   "8",
	},
	Class:  shm.CompareAndSwap | shm.Swap | shm.Opaque,
	Claims: shm.Claims{DeadlockFree: true},
	Space:  shm.Space{{Name: "state", Count: shm.Const(1), Values: shm.Const(3)}},
}.Built(shm.Padded, shm.Sequential, buildFutex)

// The states of a FutexMutex.
const (
	unlocked  uint32 = 0
	locked    uint32 = 1 // and no process sleeps
	contended uint32 = 2 // and a process may sleep
)

// The operations of the futex system call, private to this program (see
// linux/futex.h; x/sys has only the number of the call).
const (
	futexWaitPrivate = 0 | 128
	futexWakePrivate = 1 | 128
)

// FutexMutex is the mutex of a C library: one word, and a system call only
// where a process has to sleep or to be woken.
//
// Source: Ulrich Drepper, "Futexes Are Tricky", 2011, p. 8 (mutex2).
//
// Registers: state, one of unlocked, locked and contended, written by all.
//
// Properties: mutual exclusion and deadlock freedom, because a process that may sleep
// has left the state contended, so that the next exit section wakes a process.
// A process can starve: a newcomer may enter before a process that was woken.
//
// There is no doorway.
//
//	entry section:
//	1  if compare-and-swap(state, unlocked, locked) succeeds then enter
//	2  while swap(state, contended) is not unlocked:
//	3      sleep while state = contended
//	exit section:
//	4  if swap(state, unlocked) = contended then
//	5      wake one
//
// Deviations: the paper's line 4 is an atomic decrement and, if that was not
// enough, a store.
type FutexMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	state atomic.Uint32
	_     shm.Pad
}

// NewFutex returns a futex mutex for n processes, or a *shm.ProcsError.
func NewFutex(n int) (*FutexMutex, error) {
	return shm.New[*FutexMutex](Futex, n)
}

func buildFutex(shm.Build) shm.Mutex { return new(FutexMutex) }

// Lock is the entry section of every process.
func (l *FutexMutex) Lock(int) {
	if l.state.CompareAndSwap(unlocked, locked) { // 1
		return
	}
	for l.state.Swap(contended) != unlocked { // 2
		l.futex(futexWaitPrivate, contended) // 3
	}
}

// Unlock is the exit section of every process.
func (l *FutexMutex) Unlock(int) {
	if l.state.Swap(unlocked) == contended { // 4
		l.futex(futexWakePrivate, 1) // 5
	}
}

// futex makes the system call. To sleep on a state that has just changed
// (EAGAIN) and to be interrupted (EINTR) are both reasons to look again, which
// the caller does; anything else is a fault of the program.
func (l *FutexMutex) futex(op uintptr, value uint32) {
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&l.state)),
		op, uintptr(value), 0, 0, 0)
	if errno != 0 && errno != unix.EAGAIN && errno != unix.EINTR {
		panic(fmt.Sprintf("baseline/futex: futex system call: %v", errno))
	}
}
