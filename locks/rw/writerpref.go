package rw

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// WriterPref returns the specification of the writer-preference lock for a layout of its
// registers and for its stores.
func WriterPref(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "rw/writerpref",
		Title:  "Writer-preference lock of counters",
		Source: scalable,
		Class:  shm.CompareAndSwap | shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "5",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "5"},
				Concurrent:   true,
			},
		},
		Space: shm.Space{
			{Name: "requests", Count: shm.Const(1)},
			{Name: "completions", Count: shm.Const(1)},
			{Name: "l", Count: shm.Const(1), Values: readersAndFlag},
		},
	}.Built(layout, stores, buildWriterPref)
}

// WriterPrefMutex is the writer-preference lock: writers take tickets, and no reader begins
// while a writer has a ticket that is not yet served.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Scalable Reader-Writer Synchronization
// for Shared-Memory Multiprocessors", PPoPP 1991, p. 106-113. Written after the pseudo-code on
// the authors' web page.
//
// Registers: requests, which writers increment, and completions, which the leaving writer
// writes; l, twice the number of readers past line 1, plus one while a writer is in its
// critical section, written by all.
//
// Properties: a writer enters when l is 0 and leaves it odd, which stops the readers on line
// 3. Tickets stop other writers, and make them first-come-first-served. A writer waits for the
// writers before it, and for the readers that were past line 1, which are fewer than n. A
// reader starves if there is always a writer. Past line 2 it waits for one writer.
//
// A writer's doorway is line 5. A reader has none.
//
//	reader's entry section:
//	1  wait until requests = completions
//	2  fetch-and-add(l, 2)
//	3  wait until l is even
//	reader's exit section:
//	4  fetch-and-add(l, -2)
//	writer's entry section:
//	5  t := fetch-and-increment(requests)
//	6  wait until completions = t
//	7  repeat until compare-and-swap(l, 0, 1) succeeds
//	writer's exit section:
//	8  fetch-and-add(l, -1)
//	9  completions := completions + 1
//
// Released stores: line 9, before which line 8 has left. Waiting processes read the
// register, and wait longer until the store is visible. Writers in their critical sections
// also read it, and have seen the last value. Readers wait for it too: a writer has left
// when its last store is in memory.
//
// Deviations: line 7 reads l first, so that a waiting writer does not disturb the readers.
// Line 9 is a store, because only the leaving writer makes it. The counters have 32 bits and
// wrap around, which is harmless for fewer than 2^32 processes.
type WriterPrefMutex struct {
	_                        shm.NoCopy
	released                 bool
	requests, completions, l *register.Uint32
}

// NewWriterPref returns a writer-preference lock for n processes, or a
// *shm.ProcsError.
func NewWriterPref(n int, layout shm.Layout, stores shm.Stores) (*WriterPrefMutex, error) {
	return shm.New[*WriterPrefMutex](WriterPref(layout, stores), n)
}

func buildWriterPref(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &WriterPrefMutex{released: b.Released, requests: r.At(0), completions: r.At(1), l: r.At(2)}
}

// RLock acquires the lock for any reader.
func (l *WriterPrefMutex) RLock(int) {
	spin.Until(func() bool { return l.requests.Load() == l.completions.Load() }) // 1
	l.l.Add(reader)                                                              // 2
	spin.Until(func() bool { return l.l.Load()&writing == 0 })                   // 3
}

// RUnlock releases the lock for any reader.
func (l *WriterPrefMutex) RUnlock(int) {
	l.l.Add(^uint32(reader - 1)) // 4
}

// Lock acquires the lock for any writer.
func (l *WriterPrefMutex) Lock(int) {
	t := l.requests.Add(1) - 1                                   // 5
	spin.Until(func() bool { return l.completions.Load() == t }) // 6
	for l.l.Load() != 0 || !l.l.CompareAndSwap(0, writing) {     // 7
		spin.Pause()
	}
}

// Unlock releases the lock for any writer.
func (l *WriterPrefMutex) Unlock(int) {
	l.l.Add(^uint32(writing - 1))                                    // 8
	l.completions.StoreReleaseIf(l.released, l.completions.Load()+1) // 9
}
