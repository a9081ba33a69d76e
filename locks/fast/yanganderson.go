package fast

import (
	"shmbench/shm"
	"shmbench/shm/register"
)

// YangAnderson returns the specification of a lock, for a layout of its registers and for
// its stores. The lock is Yang and Anderson's fast path before a tree of Peterson's locks.
func YangAnderson(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:  "fast/yanganderson",
		Title: "Yang and Anderson's fast path before a tree of Peterson's locks",
		Source: shm.Source{
			Author: "Jae-Heon Yang and James H. Anderson",
			Title:  "A Fast, Scalable Mutual Exclusion Algorithm",
			Venue:  "Distributed Computing 9(1)",
			Year:   1995,
			Page:   "51-60",
		},
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Regular, StarvationFree: shm.Atomic},
		},
		Space: petersons.space(shm.Space{
			{Name: "x", Count: shm.Const(1), Values: shm.N},
			{Name: "y", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "z", Count: shm.Const(1), Values: shm.Const(2)},
		}),
		Layout: layout,
		Stores: stores,
		New:    func(n int) (shm.Mutex, error) { return NewYangAnderson(n, petersons, layout, stores) },
	}
}

// YangAndersonMutex is a lock with a fast path. A process that finds y free, and after its
// claim of y still finds its own id in x, takes the fast path. The others take a slow lock for
// n processes. The last of them to arrive frees y if no process is on the fast path. The two
// paths meet in a lock for two.
//
// Source: Jae-Heon Yang and James H. Anderson, "A Fast, Scalable Mutual Exclusion
// Algorithm", Distributed Computing 9(1), 1995, p. 51-60, fig. 3, as it is in
// YangAndersonFast.c of github.com/pabuhr/concurrent-locking, commit f32f830; the
// paper was not read.
//
// Registers: x, the id of the last process that arrived, written by all; y, the id of the
// last that claimed, or 0 if the fast path is free, written by all; b[i], a bit, written by
// process i; z, a bit, written by the holder of slow and join. All read all. Besides, the
// registers of join and slow.
//
// Properties: mutual exclusion, because the fast path has one process at a time. Of the
// processes that find y free, at most one finds x unchanged. Either that process frees y when
// it is out of join, or a slow process does. A slow process does so after it has closed the
// path by z and has then found every b false. A process that sets b later finds z, or y
// changed. Starvation-free: a process waits only in join and slow, which are starvation-free.
// Waiting is not bounded, and there is no order of arrival: processes on the fast path can
// pass a process on its way to slow. An uncontended process makes nine accesses besides those
// of the join, for every n, except in the first passage after contention: it can find y taken
// although no other process is there, take the slow path, and free y. A contended process may
// read every b. On regular registers the lock loses exclusion. Three processes also lose
// starvation freedom, because two of them can then be at one side of the join; the check
// needs 31 million states to show it.
//
// There is no doorway.
//
//	entry section of process i:
//	1  x := i
//	2  if y is not 0 then go to SLOW
//	3  y := i
//	4  if x is not i then go to SLOW
//	5  b[i] := true
//	6  if z then go to SLOW
//	7  if y is not i then go to SLOW
//	8  enter join as process 1
//	SLOW:
//	9  enter slow as process i; enter join as process 0
//	exit section of process i, by the way it came:
//	10 leave join as process 1
//	11 y := 0
//	12 b[i] := false
//	SLOW:
//	13 b[i] := false
//	14 if x = i then
//	15     z := true
//	16     flag := no b[k] is up, for k := 0 to n-1
//	17     if flag then y := 0
//	18     z := false
//	19 leave join as process 0; leave slow as process i
//
// Released stores: lines 11 and 12, which leave the critical section in this order, so that a
// late store is a late exit; and those of join. Other stores on the slow path could be. They
// keep their fences so that three processes are checked in seconds.
//
// Deviations: processes are numbered from 0, but x and y hold ids from 1. The paper builds the
// slow lock and join from its own lock for two processes, which can be given here.
type YangAndersonMutex struct {
	_        shm.NoCopy
	released bool
	n        int
	x, y     *register.Uint32
	z        *register.Uint32
	b        shm.Array[register.Bool]
	join     shm.Mutex
	slow     shm.Mutex
	fast     shm.Array[bool] // fast[i] is of process i alone
}

// NewYangAnderson returns the lock for n processes with a slow path. It returns that
// path's error, or a *shm.ProcsError.
func NewYangAnderson(n int, s SlowPath, layout shm.Layout, stores shm.Stores) (*YangAndersonMutex, error) {
	slow, joins, err := s.locks("fast/yanganderson", n, 1, layout, stores)
	if err != nil {
		return nil, err
	}
	r := shm.NewArray[register.Uint32](3, layout)
	l := &YangAndersonMutex{
		released: stores == shm.Released,
		n:        n,
		x:        r.At(0),
		y:        r.At(1),
		z:        r.At(2),
		b:        shm.NewArray[register.Bool](n, layout),
		join:     joins[0],
		slow:     slow,
		fast:     shm.NewArray[bool](n, shm.Padded),
	}
	l.x.Store(1)
	return l, nil
}

// Lock acquires the lock for process i.
func (l *YangAndersonMutex) Lock(i int) {
	fast := l.enter(i)
	if fast {
		l.join.Lock(1) // 8
	} else {
		l.slow.Lock(i) // 9
		l.join.Lock(0) // 9
	}
	*l.fast.At(i) = fast
}

// enter is lines 1 to 7. It reports whether process i takes the fast path.
func (l *YangAndersonMutex) enter(i int) bool {
	me := uint32(i + 1)
	l.x.Store(me)        // 1
	if l.y.Load() != 0 { // 2
		return false
	}
	l.y.Store(me)         // 3
	if l.x.Load() != me { // 4
		return false
	}
	l.b.At(i).Store(true) // 5
	if l.z.Load() != 0 {  // 6
		return false
	}
	return l.y.Load() == me // 7
}

// Unlock releases the lock for process i.
func (l *YangAndersonMutex) Unlock(i int) {
	if *l.fast.At(i) {
		l.join.Unlock(1)                            // 10
		l.y.StoreReleaseIf(l.released, 0)           // 11
		l.b.At(i).StoreReleaseIf(l.released, false) // 12
		return
	}
	l.b.At(i).Store(false)         // 13
	if l.x.Load() == uint32(i+1) { // 14
		l.z.Store(1)     // 15
		if l.allDown() { // 16
			l.y.Store(0) // 17
		}
		l.z.Store(0) // 18
	}
	l.join.Unlock(0) // 19
	l.slow.Unlock(i) // 19
}

// allDown is line 16: it reads every b.
func (l *YangAndersonMutex) allDown() bool {
	flag := true
	for k := range l.n {
		if l.b.At(k).Load() {
			flag = false
		}
	}
	return flag
}
