package mutants

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
