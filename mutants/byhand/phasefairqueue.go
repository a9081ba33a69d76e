package byhand

import (
	"sync/atomic"

	"shmbench/rw"
	"shmbench/shm"
	"shmbench/spin"
)

var phaseFairQueue = rw.PhaseFairQueue(shm.Packed, shm.Sequential)

var phaseFairQueues = []Mutant{
	mutate(phaseFairQueue, "phasefairqueue-one-phase", "all writers close the same phase", Deadlock, 2,
		func(n int) shm.Mutex { return &phaseFairQueueOnePhase{newPhaseFairQueue(n)} }),
	mutate(phaseFairQueue, "phasefairqueue-closed-late", "a writer closes the phase when it has been announced to readers", Safety, 2,
		func(n int) shm.Mutex { return &phaseFairQueueClosedLate{newPhaseFairQueue(n)} }),
	mutate(phaseFairQueue, "phasefairqueue-last-late", "a writer says for which readers it waits when they have been told to look", Deadlock, 2,
		func(n int) shm.Mutex { return &phaseFairQueueLastLate{newPhaseFairQueue(n)} }),
	mutate(phaseFairQueue, "phasefairqueue-blocked-late", "a writer makes ready to be woken when readers have been told to wake it", Deadlock, 2,
		func(n int) shm.Mutex { return &phaseFairQueueBlockedLate{newPhaseFairQueue(n)} }),
}

// phaseFairQueueBase is the phase-fair queue lock, with the labels of
// rw.PhaseFairQueueMutex, in pieces.
type phaseFairQueueBase struct {
	writers   *mcsBase
	rin, rout atomic.Uint32
	last      atomic.Uint32
	whead     atomic.Uint32
	closed    [2]atomic.Bool
	blocked   []atomic.Bool
}

func newPhaseFairQueue(n int) *phaseFairQueueBase {
	return &phaseFairQueueBase{writers: newMCS(n), blocked: make([]atomic.Bool, n)}
}

func (l *phaseFairQueueBase) RLock(int) {
	if w := l.rin.Add(rinc); w&pres != 0 { // 1
		spin.Until(func() bool { return !l.closed[w&phid].Load() }) // 2
	}
}

func (l *phaseFairQueueBase) RUnlock(int) {
	r := l.rout.Add(rinc)                        // 3
	if r&pres != 0 && r&^pres == l.last.Load() { // 4
		l.blocked[l.whead.Load()].Store(false) // 4
	}
}

func (l *phaseFairQueueBase) Lock(i int) {
	l.writers.Lock(i) // 5
	l.ready(i)
	l.close()
	l.await(i, l.count())
}

// ready is lines 6 and 7.
func (l *phaseFairQueueBase) ready(i int) {
	l.blocked[i].Store(true) // 6
	l.whead.Store(uint32(i)) // 7
}

// close is line 8.
func (l *phaseFairQueueBase) close() { l.closed[l.rin.Load()&phid].Store(true) }

// count is lines 9 and 10.
func (l *phaseFairQueueBase) count() uint32 {
	in := (l.rin.Add(pres) - pres) &^ phid // 9
	l.last.Store(in)                       // 10
	return in
}

// await is lines 11 and 12.
func (l *phaseFairQueueBase) await(i int, in uint32) {
	if l.rout.Add(pres)-pres != in { // 11
		spin.Until(func() bool { return !l.blocked[i].Load() }) // 12
	}
}

func (l *phaseFairQueueBase) Unlock(i int) {
	l.rout.And(^uint32(pres))        // 13
	phase := l.rin.Load() & phid     // 14
	l.rin.Add(phid - 2*phase - pres) // 14
	l.closed[phase].Store(false)     // 15
	l.writers.Unlock(i)              // 16
}

type phaseFairQueueOnePhase struct{ *phaseFairQueueBase }

func (l *phaseFairQueueOnePhase) Unlock(i int) {
	l.rout.And(^uint32(pres)) // 13
	l.rin.And(^uint32(pres))  // 14
	l.closed[0].Store(false)  // 15
	l.writers.Unlock(i)       // 16
}

type phaseFairQueueClosedLate struct{ *phaseFairQueueBase }

func (l *phaseFairQueueClosedLate) Lock(i int) {
	l.writers.Lock(i) // 5
	l.ready(i)
	in := l.count()
	l.close()
	l.await(i, in)
}

type phaseFairQueueLastLate struct{ *phaseFairQueueBase }

func (l *phaseFairQueueLastLate) Lock(i int) {
	l.writers.Lock(i) // 5
	l.ready(i)
	l.close()
	in := (l.rin.Add(pres) - pres) &^ phid // 9
	if l.rout.Add(pres)-pres != in {       // 11
		l.last.Store(in)                                        // 10
		spin.Until(func() bool { return !l.blocked[i].Load() }) // 12
	}
}

type phaseFairQueueBlockedLate struct{ *phaseFairQueueBase }

func (l *phaseFairQueueBlockedLate) Lock(i int) {
	l.writers.Lock(i)        // 5
	l.whead.Store(uint32(i)) // 7
	l.close()
	in := l.count()
	if l.rout.Add(pres)-pres != in { // 11
		l.blocked[i].Store(true)                                // 6
		spin.Until(func() bool { return !l.blocked[i].Load() }) // 12
	}
}
