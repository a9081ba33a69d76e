package rw

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// TaskFair returns the specification of the fair lock of two counters for a layout of its
// registers.
func TaskFair(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:   "rw/taskfair",
		Title:  "Task-fair reader-writer ticket lock",
		Source: scalable,
		Class:  shm.FetchAndAdd,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				DeadlockFree: true,
				Writers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "4"},
				Readers:      shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "1"},
				Concurrent:   true,
			},
		},
		Space: shm.Space{
			{Name: "requests", Count: shm.Const(1)},
			{Name: "completions", Count: shm.Const(1)},
		},
	}.Built(layout, shm.Sequential, buildTaskFair)
}

// TaskFairMutex is the fair lock of counters: a ticket lock whose tickets count readers and
// writers separately. A writer waits for all processes that arrived before it, and a reader
// for the writers among them.
//
// Source: John M. Mellor-Crummey and Michael L. Scott, "Scalable Reader-Writer Synchronization
// for Shared-Memory Multiprocessors", PPoPP 1991, p. 106-113. The layout of the word is that
// of the pseudo-code on the authors' web page, and the rest follows include/ck_tflock.h of
// Concurrency Kit.
//
// Registers: requests and completions, each a pair (readers, writers) in one word,
// incremented by all.
//
// Properties: first-come-first-served, except that readers with no writer between them are in
// their critical sections together. So no process starves, and at most n-1 writers enter after
// the doorway of a process and before it: the writers that arrived earlier.
//
// A reader's doorway is line 1, a writer's line 4.
//
//	reader's entry section:
//	1  t := fetch-and-add(requests, (1, 0)).writers
//	2  wait until completions.writers = t
//	reader's exit section:
//	3  fetch-and-add(completions, (1, 0))
//	writer's entry section:
//	4  t := fetch-and-add(requests, (0, 1))
//	5  wait until completions = t
//	writer's exit section:
//	6  fetch-and-add(completions, (0, 1))
//
// Deviations: the word has 64 bits, with the readers in the upper half, whose overflow is
// lost. The overflow of the lower half after 2^32 passages of writers happens in both words,
// in the same passage, so that the comparisons stay true.
type TaskFairMutex struct {
	_                     shm.NoCopy
	requests, completions *register.Uint64
}

// The halves of TaskFairMutex's words.
const (
	oneWriter = 1
	oneReader = 1 << 32
)

// NewTaskFair returns a task-fair lock for n processes, or a *shm.ProcsError.
func NewTaskFair(n int, layout shm.Layout) (*TaskFairMutex, error) {
	return shm.New[*TaskFairMutex](TaskFair(layout), n)
}

func buildTaskFair(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint64](2, b.Layout)
	return &TaskFairMutex{requests: r.At(0), completions: r.At(1)}
}

// RLock acquires the lock for any reader.
func (l *TaskFairMutex) RLock(int) {
	t := uint32(l.requests.Add(oneReader))                               // 1
	spin.Until(func() bool { return uint32(l.completions.Load()) == t }) // 2
}

// RUnlock releases the lock for any reader.
func (l *TaskFairMutex) RUnlock(int) {
	l.completions.Add(oneReader) // 3
}

// Lock acquires the lock for any writer.
func (l *TaskFairMutex) Lock(int) {
	t := l.requests.Add(oneWriter) - oneWriter                   // 4
	spin.Until(func() bool { return l.completions.Load() == t }) // 5
}

// Unlock releases the lock for any writer.
func (l *TaskFairMutex) Unlock(int) {
	l.completions.Add(oneWriter) // 6
}
