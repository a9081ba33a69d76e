package byhand

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tas"
)

var testAndSets = []Mutant{
	mutate(tas.TAS(shm.Sequential), "tas-load-store", "the test and the set are two steps", Safety, 2,
		func(int) shm.Mutex { return new(tasLoadStore) }).using(shm.ReadWrite),
	mutate(tas.TTAS(shm.Sequential), "ttas-plain-store", "after the test the bit is written without another", Safety, 2,
		func(int) shm.Mutex { return new(ttasPlainStore) }).using(shm.ReadWrite),
	mutate(tas.TTAS(shm.Sequential), "ttas-result-ignored", "the result of the test-and-set is ignored", Safety, 2,
		func(int) shm.Mutex { return new(ttasResultIgnored) }),
	mutate(tas.TAS(shm.Sequential), "tas-reset-by-loser", "a process that has lost resets the bit before it tries again", Safety, 2,
		func(int) shm.Mutex { return new(tasResetByLoser) }),
	mutate(tas.TAS(shm.Sequential), "tas-no-reset", "the exit section leaves the bit", Deadlock, 1,
		func(int) shm.Mutex { return new(tasNoReset) }),
	mutate(tas.TAS(shm.Sequential), "tas-swap-exit", "the exit section swaps instead of writing", Equivalent, 1,
		func(int) shm.Mutex { return new(tasSwapExit) }).using(shm.TestAndSet | shm.Swap),
}

// backoffs are broken forms of test-and-set with backoff.
var backoffs = []Mutant{
	mutate(tas.Backoff(shm.Sequential), "backoff-enters", "who has stayed away and then sees the bit clear sets it without a test", Safety, 2,
		func(int) shm.Mutex { return new(backoffEnters) }),
	// Of the two test-and-sets the first may have been the one that won.
	mutate(tas.Backoff(shm.Sequential), "backoff-tests-twice", "who has stayed away makes a test-and-set whose result it drops", Deadlock, 2,
		func(int) shm.Mutex { return new(backoffTestsTwice) }),
}

// backoffBase is test-and-set with backoff in pieces:
//
//	entry section:
//	1  delay := leastDelay
//	2  wait until busy = false
//	3  if test-and-set(busy) = false then enter
//	4  pause delay times
//	5  delay := min(2*delay, mostDelay), goto 2
//	exit section:
//	6  busy := false
type backoffBase struct{ tasBase }

// await is line 2.
func (l *backoffBase) await() {
	spin.Until(func() bool { return !l.busy.Load() })
}

// away is line 4 with a delay, and line 5.
func (l *backoffBase) away(delay int) int {
	for range delay {
		spin.Pause() // 4
	}
	return min(2*delay, 64) // 5
}

type backoffEnters struct{ backoffBase }

func (l *backoffEnters) Lock(int) {
	l.await()              // 2
	if l.busy.Swap(true) { // 3
		l.away(1) // 4
		l.await() // 2
		l.busy.Store(true)
	}
}

type backoffTestsTwice struct{ backoffBase }

func (l *backoffTestsTwice) Lock(int) {
	delay := 1                                    // 1
	for l.await(); l.busy.Swap(true); l.await() { // 2, 3
		delay = l.away(delay) // 4, 5
		l.busy.Swap(true)
	}
}

// tasBase is test-and-set:
//
//	entry section:
//	1  repeat until test-and-set(busy) = false
//	exit section:
//	2  busy := false
type tasBase struct{ busy atomic.Bool }

func (l *tasBase) Lock(int) {
	for l.busy.Swap(true) { // 1
		spin.Pause()
	}
}

func (l *tasBase) Unlock(int) {
	l.busy.Store(false) // 2
}

type tasLoadStore struct{ tasBase }

func (l *tasLoadStore) Lock(int) {
	for {
		was := l.busy.Load()
		l.busy.Store(true)
		if !was {
			return
		}
		spin.Pause()
	}
}

type ttasPlainStore struct{ tasBase }

func (l *ttasPlainStore) Lock(int) {
	spin.Until(func() bool { return !l.busy.Load() })
	l.busy.Store(true)
}

type ttasResultIgnored struct{ tasBase }

func (l *ttasResultIgnored) Lock(int) {
	spin.Until(func() bool { return !l.busy.Load() })
	l.busy.Swap(true)
}

type tasResetByLoser struct{ tasBase }

func (l *tasResetByLoser) Lock(int) {
	for l.busy.Swap(true) {
		l.busy.Store(false)
		spin.Pause()
	}
}

type tasNoReset struct{ tasBase }

func (l *tasNoReset) Unlock(int) {}

type tasSwapExit struct{ tasBase }

func (l *tasSwapExit) Unlock(int) { l.busy.Swap(false) }
