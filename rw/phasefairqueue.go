package rw

import (
	"slices"

	"shmbench/queue"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

// PhaseFairQueue returns the specification of the phase-fair queue lock for a layout of its
// registers and for its stores.
func PhaseFairQueue(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := PhaseFair(layout, stores)
	writers := queue.MCS(layout, stores)
	a.Name, a.Title = "rw/phasefairqueue", "Phase-fair queue lock, PF-Q"
	a.Class |= writers.Class
	a.Claims.Doorway, a.Claims.Mixed.Writers.Doorway = writers.Claims.Doorway, writers.Claims.Doorway
	a.Claims.LocalSpin = writers.Claims.LocalSpin
	a.Space = slices.Concat(writers.Space, shm.Space{
		{Name: "rin", Count: shm.Const(1)},
		{Name: "rout", Count: shm.Const(1)},
		{Name: "last", Count: shm.Const(1)},
		{Name: "whead", Count: shm.Const(1), Values: shm.N},
		{Name: "closed", Count: shm.Const(2), Values: shm.Const(2)},
		{Name: "blocked", Count: shm.N, Values: shm.Const(2)},
	})
	a.Simplified = "the queues of the readers"
	return a.BuiltOver(writers, layout, stores, buildPhaseFairQueue)
}

// PhaseFairQueueMutex is the phase-fair queue lock: readers and writers take turns as in the
// phase-fair ticket lock, but writers queue up in an MCS lock, and each process waits for a
// word that changes only when it is its turn.
//
// Source: Björn B. Brandenburg and James H. Anderson, "Spin-Based Reader-Writer
// Synchronization for Multiprocessor Real-Time Systems", Real-Time Systems 46(1), 2010,
// p. 25-87; written after HPCToolkit, pfq-rwlock.c, which says that it simplifies the paper's
// lock.
//
// Registers: those of MCS, for writers; rin, how many readers have come, with two bits of
// the writer that is first: PRES, that it is there, and PHID, which changes with each
// writer; rout, how many readers have gone, with PRES; both incremented by readers, and the
// bits changed by that writer. last, the count of readers for which it waits, whead, its name,
// and closed[p], that readers of phase p have to wait, written by it; blocked[i], that
// writer i waits for readers, written by itself and by the last of these.
//
// Properties: a writer counts on line 9 the readers that came before its bit, and on line 11
// those of them that have gone. If some have not, the last of these finds the bit on line 3,
// and last and whead, which were written before, on line 4. A reader that finds the bit on
// line 1 waits until the phase that it found is opened; the next writer closes the other one, and
// waits for this reader. So a reader waits for one writer at most, and each writer for a
// phase of readers; MCS makes writers first-come-first-served; no process starves.
//
// A reader's doorway is line 1, a writer's that of MCS.
//
//	reader's entry section:
//	1  w := fetch-and-add(rin, RINC)
//	2  if w has PRES then wait until not closed[w and PHID]
//	reader's exit section:
//	3  r := fetch-and-add(rout, RINC) + RINC
//	4  if r has PRES then if the count of r is last then blocked[whead] := false
//	entry section of writer i:
//	5  enter MCS
//	6  blocked[i] := true
//	7  whead := i
//	8  closed[rin and PHID] := true
//	9  in := the count of fetch-and-add(rin, PRES)
//	10 last := in
//	11 if the count of fetch-and-add(rout, PRES) is not in then
//	12     wait until not blocked[i]
//	writer's exit section:
//	13 fetch-and-and(rout, not PRES)
//	14 p := rin and PHID; change PHID and clear PRES in rin in one step
//	15 closed[p] := false
//	16 leave MCS
//
// Released stores: those of MCS; lines 6 to 8 and 10, which lines 9 and 11 take to memory
// before any process looks; line 15, which keeps readers waiting until it is visible, and
// reaches memory before what line 16 stores.
//
// Deviations: in the paper readers queue up too, so that each waits for a word of its own;
// HPCToolkit's wait for closed. Each has a copy of it where caches are coherent. It
// changes the bits by stores to bytes, and lets a reader use the writer's node in place of
// blocked. The counters are words of 32 bits that wrap around, at the same count, which is
// harmless for fewer than 2^30 processes.
type PhaseFairQueueMutex struct {
	_         shm.NoCopy
	released  bool
	writers   *queue.MCSMutex
	rin, rout *register.Uint32
	last      *register.Uint32
	whead     *register.Uint32
	closed    shm.Array[register.Bool]
	blocked   shm.Array[register.Bool]
}

// NewPhaseFairQueue returns a phase-fair queue lock for n processes, or a
// *shm.ProcsError.
func NewPhaseFairQueue(n int, layout shm.Layout, stores shm.Stores) (*PhaseFairQueueMutex, error) {
	return shm.New[*PhaseFairQueueMutex](PhaseFairQueue(layout, stores), n)
}

func buildPhaseFairQueue(b shm.Build, writers shm.Mutex) shm.Mutex {
	r := shm.NewArray[register.Uint32](4, b.Layout)
	return &PhaseFairQueueMutex{
		released: b.Released,
		writers:  writers.(*queue.MCSMutex),
		rin:      r.At(0),
		rout:     r.At(1),
		last:     r.At(2),
		whead:    r.At(3),
		closed:   shm.NewArray[register.Bool](2, b.Layout),
		blocked:  shm.NewArray[register.Bool](b.N, b.Layout),
	}
}

// RLock is the entry section of every reader.
func (l *PhaseFairQueueMutex) RLock(int) {
	w := l.rin.Add(rinc) // 1
	if w&pres != 0 {
		closed := l.closed.At(int(w & phid))
		spin.Until(func() bool { return !closed.Load() }) // 2
	}
}

// RUnlock is the exit section of every reader.
func (l *PhaseFairQueueMutex) RUnlock(int) {
	r := l.rout.Add(rinc)                               // 3
	if r&pres != 0 && r&^(pres|phid) == l.last.Load() { // 4
		l.blocked.At(int(l.whead.Load())).Store(false) // 4
	}
}

// Lock is the entry section of writer i.
func (l *PhaseFairQueueMutex) Lock(i int) {
	l.writers.Lock(i) // 5
	blocked := l.blocked.At(i)
	blocked.StoreReleaseIf(l.released, true)                             // 6
	l.whead.StoreReleaseIf(l.released, uint32(i))                        // 7
	l.closed.At(int(l.rin.Load()&phid)).StoreReleaseIf(l.released, true) // 8
	in := (l.rin.Add(pres) - pres) &^ phid                               // 9
	l.last.StoreReleaseIf(l.released, in)                                // 10
	if l.rout.Add(pres)-pres != in {                                     // 11
		spin.Until(func() bool { return !blocked.Load() }) // 12
	}
}

// Unlock is the exit section of writer i.
func (l *PhaseFairQueueMutex) Unlock(i int) {
	l.rout.And(^uint32(pres))                                 // 13
	phase := l.rin.Load() & phid                              // 14
	l.rin.Add(phid - 2*phase - pres)                          // 14
	l.closed.At(int(phase)).StoreReleaseIf(l.released, false) // 15
	l.writers.Unlock(i)                                       // 16
}
