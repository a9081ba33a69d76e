package baseline

import (
	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/spin"
)

// Rust returns the specification of the mutex of Rust's standard library.
func Rust() shm.Algorithm {
	return shm.Algorithm{
		Name:  "baseline/rustmutex",
		Title: "Rust's futex mutex",
		Source: shm.Source{
			Author: "The Rust project",
			Title:  "library/std/src/sys/sync/mutex/futex.rs",
			Venue:  "Rust 1.62",
			Year:   2022,
		},
		Simplified: futex.Missing,
		Class:      shm.CompareAndSwap | shm.Swap | shm.Futex,
		Claims:     shm.Claims{DeadlockFree: true},
		Space:      shm.Space{{Name: "futex", Count: shm.Const(1), Values: shm.Const(3)}},
	}.Built(shm.Padded, shm.Sequential, buildRust)
}

// rustPolls is how often a process polls before it sleeps.
const rustPolls = 100

// RustMutex is the mutex of Rust's standard library on Linux: Drepper's third mutex with
// polling before each sleep.
//
// Source: library/std/src/sys/sync/mutex/futex.rs of github.com/rust-lang/rust at commit
// 0787e052, which is there since Rust 1.62, 2022.
//
// Registers: futex, one of unlocked, locked and contended, written by all.
//
// Properties: mutual exclusion, because a process enters only when it changes unlocked to
// another value. A process that is about to sleep leaves the word contended, also when it
// acquires the lock after a sleep. So the exit section wakes a process if one may sleep,
// and no wake-up is lost. A process can starve, because others may enter before a process
// that was woken. A process does not poll a contended word: others sleep already.
//
// There is no doorway.
//
//	entry section:
//	1  if compare-and-swap(futex, unlocked, locked) succeeds then enter
//	2  state := poll
//	3  if state = unlocked then if compare-and-swap(futex, unlocked, locked) succeeds then enter
//	4  repeat if state is not contended then if swap(futex, contended) = unlocked then enter
//	5      sleep if futex = contended
//	6      state := poll
//	exit section:
//	7  if swap(futex, unlocked) = contended then
//	8      wake one
//	poll:
//	9  load futex until it is not locked, at most 101 times; return the last value
//
// Deviations: the model of the checker polls twice at most (package futex).
type RustMutex struct {
	_     shm.NoCopy
	_     shm.Pad
	futex futex.Word
	polls int
	_     shm.Pad
}

// NewRust returns Rust's mutex for n processes, or a *shm.ProcsError.
func NewRust(n int) (*RustMutex, error) {
	return shm.New[*RustMutex](Rust(), n)
}

func buildRust(shm.Build) shm.Mutex {
	l := &RustMutex{polls: futex.Polls(rustPolls)}
	l.futex.Init()
	return l
}

// Lock acquires the lock for process i.
func (l *RustMutex) Lock(i int) {
	if !l.futex.CompareAndSwap(unlocked, locked) { // 1
		l.lockContended(i)
	}
}

// lockContended is Lock behind line 1.
func (l *RustMutex) lockContended(i int) {
	state := l.poll()      // 2
	if state == unlocked { // 3
		if state = futex.CompareAndExchange(&l.futex.Uint32, unlocked, locked); state == unlocked { // 3
			return
		}
	}
	for {
		if state != contended && l.futex.Swap(contended) == unlocked { // 4
			return
		}
		l.futex.Wait(i, contended) // 5
		state = l.poll()           // 6
	}
}

// poll returns the value of the word, once it is not locked or was polled often enough.
func (l *RustMutex) poll() uint32 {
	for more := l.polls; ; more-- {
		state := l.futex.Load() // 9
		if state != locked || more == 0 {
			return state
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *RustMutex) Unlock(i int) {
	if l.futex.Swap(unlocked) == contended { // 7
		l.futex.Wake(i) // 8
	}
}
