package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
)

// muslFile is the lock of a FILE in musl from April to September 2018. A process sets the
// bit that announces waiting processes once, before it begins to wait. If the lock is
// released and taken again in between, the word has no such bit. The process then sleeps
// on this word, and the holder wakes no process when it releases the lock.
//
// The futex is part of the word: a bit for each process that sleeps. To test the value
// and to go to sleep is one step, as it is in the kernel.
var muslFile = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/musl-file",
		Title: "The lock of a FILE in musl, 2018",
		Source: shm.Source{
			Author: "Rich Felker",
			Title:  "src/stdio/__lockfile.c",
			Venue:  "musl, commit c21f7507",
			Year:   2018,
		},
		Class:    shm.CompareAndSwap | shm.FetchAndOr,
		MinProcs: 1,
		MaxProcs: 16,
		Claims:   shm.Claims{DeadlockFree: true},
		Space:    shm.Space{{Name: "word", Count: shm.Const(1), Values: shm.Formula{Text: "(n+1) * 2^(n+1)", At: func(n int) int { return (n + 1) << (n + 1) }}}},
	},
	Read:     "github.com/bminor/musl, src/stdio/__lockfile.c at c21f750727515602a9e84f2a190ee8a0a2aeb2a1, and the text of commit 0db393d3a77bb9f300a356c6a5484fc2dddb161d, which fixes it",
	Claimed:  "mutual exclusion of the functions that use a FILE, and that each call returns",
	Property: deadlock,
	Verdict:  "a process sleeps while the word has no bit for waiting processes, and the holder leaves without waking it.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    14,
	Fix:      "the bit is set again before each sleep, as musl has it since September 2018",
}, func(int) shm.Mutex { return new(muslFileMutex) })

// muslFileMutex is the lock, where me is i+1:
//
//	entry section of process i:
//	1  o := compare-and-swap(word, 0, me), the old value; if o = 0 then enter
//	2  unless compare-and-swap(word, o, o + waiters) succeeds, goto 1
//	3  o := compare-and-swap(word, 0, me + waiters), the old value; if o = 0 then enter
//	4  sleep if word = o; goto 3
//	exit section:
//	5  o := swap(word, 0)
//	6  if o has waiters then wake one that sleeps
type muslFileMutex struct {
	word atomic.Uint32 // the owner, a bit for waiters, and a bit for each that sleeps
}

const (
	muslOwner   = 1<<5 - 1
	muslWaiters = 1 << 5
	muslValue   = muslOwner | muslWaiters
	muslAsleep  = 6 // the place of process 0's bit
)

func (l *muslFileMutex) Lock(i int) {
	me := uint32(i + 1)
	for ; ; spin.Pause() {
		o := l.swapIf(0, me) // 1
		if o == 0 {
			return
		}
		if l.swapIf(o, o|muslWaiters) == o { // 2
			break
		}
	}
	for ; ; spin.Pause() {
		o := l.swapIf(0, me|muslWaiters) // 3
		if o == 0 {
			return
		}
		l.sleep(i, o)
	}
}

// swapIf is a compare-and-swap that returns the old value, on the word without the bits
// of the sleeping processes.
func (l *muslFileMutex) swapIf(old, new uint32) uint32 {
	for ; ; spin.Pause() {
		v := l.word.Load() // 1, 2, 3
		if v&muslValue != old {
			return v & muslValue
		}
		if l.word.CompareAndSwap(v, v&^muslValue|new) { // 1, 2, 3
			return old
		}
	}
}

// sleep is line 4.
func (l *muslFileMutex) sleep(i int, o uint32) {
	asleep := uint32(1) << (muslAsleep + i)
	for ; ; spin.Pause() {
		v := l.word.Load() // 4
		if v&muslValue != o {
			return
		}
		if l.word.CompareAndSwap(v, v|asleep) { // 4
			break
		}
	}
	spin.Until(func() bool { return l.word.Load()&asleep == 0 }) // 4
}

func (l *muslFileMutex) Unlock(int) {
	if l.word.And(^uint32(muslValue))&muslWaiters == 0 { // 5
		return
	}
	for ; ; spin.Pause() {
		v := l.word.Load() // 6
		asleep := v &^ muslValue
		if asleep == 0 || l.word.CompareAndSwap(v, v-asleep&-asleep) { // 6
			return
		}
	}
}
