package knownbroken

import (
	"shmbench/shm"
	"shmbench/shm/futex"
	"shmbench/shm/spin"
)

// muslFile is the lock of a FILE in musl from April to September 2018. A process sets the
// bit that announces waiting processes once, before it begins to wait. If the lock is
// released and taken again in between, the word has no such bit. The process then sleeps
// on this word, and the holder wakes no process when it releases the lock.
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
		Class:    shm.Swap | shm.CompareAndSwap | shm.Futex,
		MinProcs: 1,
		MaxProcs: 16,
		Claims:   shm.Claims{DeadlockFree: true},
		Space:    shm.Space{{Name: "word", Count: shm.Const(1), Values: shm.Formula{Text: "2n+1", At: func(n int) int { return 2*n + 1 }}}},
	},
	Read:     "github.com/bminor/musl, src/stdio/__lockfile.c at c21f750727515602a9e84f2a190ee8a0a2aeb2a1, and the text of commit 0db393d3a77bb9f300a356c6a5484fc2dddb161d, which fixes it",
	Claimed:  "mutual exclusion of the functions that use a FILE, and that each call returns",
	Property: deadlock,
	Verdict:  "a process sleeps while the word has no bit for waiting processes, and the holder leaves without waking it.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    17,
	Fix:      "the bit is set again before each sleep, as musl has it since September 2018",
}, func(int) shm.Mutex {
	l := new(muslFileMutex)
	l.word.Init()
	return l
})

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
	word futex.Word // the owner, and a bit for waiters
}

const muslWaiters = 1 << 30

func (l *muslFileMutex) Lock(i int) {
	me := uint32(i + 1)
	for ; ; spin.Pause() {
		o := l.exchangeIf(0, me) // 1
		if o == 0 {
			return
		}
		if l.exchangeIf(o, o|muslWaiters) == o { // 2
			break
		}
	}
	for ; ; spin.Pause() {
		o := l.exchangeIf(0, me|muslWaiters) // 3
		if o == 0 {
			return
		}
		l.word.Wait(i, o) // 4
	}
}

// exchangeIf is a compare-and-swap that returns the old value.
func (l *muslFileMutex) exchangeIf(old, v uint32) uint32 {
	return futex.CompareAndExchange(&l.word.Uint32, old, v)
}

func (l *muslFileMutex) Unlock(i int) {
	if l.word.Swap(0)&muslWaiters != 0 { // 5
		l.word.Wake(i) // 6
	}
}
