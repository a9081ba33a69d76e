package rw

import (
	"slices"

	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
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

// PhaseFairQueueMutex is the phase-fair queue lock. Readers and writers take turns as in
// the phase-fair ticket lock, but writers queue up in an MCS lock. Each process waits for a
// register that changes only when its turn comes.
//
// Source: Björn B. Brandenburg and James H. Anderson, "Spin-Based Reader-Writer
// Synchronization for Multiprocessor Real-Time Systems", Real-Time Systems 46(1), 2010, p.
// 25-87. Written after pfq-rwlock.c of HPCToolkit, which says that it simplifies the paper's
// lock.
//
// Registers: those of MCS, for writers; rin, the number of readers that have arrived, with two
// bits of the first writer: PRES, that it is present, and PHID, which changes with each
// writer; rout, the number of readers that have left, with PRES. Readers increment rin and
// rout, and that writer changes the bits. The writer also writes last, the count of readers
// that it waits for; whead, its own id; and closed[p], which makes readers of phase p wait.
// blocked[i] says that writer i waits for readers. The writer sets it, and the last of these
// readers clears it.
//
// Properties: line 9 of a writer counts the readers that arrived before its bit, and line 11
// counts those of them that have left. If some have not, the last one finds the bit on line 3,
// and finds last and whead, which were written before, on line 4. A reader that finds the bit
// on line 1 waits until its phase is opened. The next writer closes the other phase, and waits
// for this reader. So a reader waits for at most one writer, and a writer for one phase of
// readers. MCS makes writers first-come-first-served. No process starves.
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
// before any process reads them; line 15, which keeps readers waiting until it is visible, and
// reaches memory before the stores of line 16.
//
// Deviations: in the paper readers queue up too, and each waits for a register of its own. In
// HPCToolkit readers wait for closed, and each has a copy of it if caches are coherent.
// HPCToolkit changes the bits by stores to bytes, and readers use the writer's node instead of
// blocked. The counters have 32 bits and wrap around at the same count, which is harmless for
// fewer than 2^30 processes.
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

// RLock acquires the lock for any reader.
func (l *PhaseFairQueueMutex) RLock(int) {
	w := l.rin.Add(rinc) // 1
	if w&pres != 0 {
		closed := l.closed.At(int(w & phid))
		spin.Until(func() bool { return !closed.Load() }) // 2
	}
}

// RUnlock releases the lock for any reader.
func (l *PhaseFairQueueMutex) RUnlock(int) {
	r := l.rout.Add(rinc)                               // 3
	if r&pres != 0 && r&^(pres|phid) == l.last.Load() { // 4
		l.blocked.At(int(l.whead.Load())).Store(false) // 4
	}
}

// Lock acquires the lock for writer i.
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

// Unlock releases the lock for writer i.
func (l *PhaseFairQueueMutex) Unlock(i int) {
	l.rout.And(^uint32(pres))                                 // 13
	phase := l.rin.Load() & phid                              // 14
	l.rin.Add(phid - 2*phase - pres)                          // 14
	l.closed.At(int(phase)).StoreReleaseIf(l.released, false) // 15
	l.writers.Unlock(i)                                       // 16
}
