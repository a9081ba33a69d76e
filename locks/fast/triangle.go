package fast

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var triangleSource = shm.Source{
	Author: "Wim H. Hesselink, Peter A. Buhr and David Dice",
	Title:  "Fast mutual exclusion by the Triangle algorithm",
	Venue:  "Concurrency and Computation: Practice and Experience 30(4)",
	Year:   2018,
	Page:   "e4183",
}

// Triangle returns the specification of Triangle over a tree of Peterson's locks for a layout
// of its registers and for its stores.
func Triangle(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:     "fast/triangle",
		Title:    "Triangle over a tree of Peterson's locks",
		Source:   triangleSource,
		Class:    shm.ReadWrite,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Regular, StarvationFree: shm.Atomic},
		},
		Space: petersons.space(shm.Space{
			{Name: "b", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "x", Count: shm.Const(1), Values: shm.N},
			{Name: "y", Count: shm.Const(1), Values: shm.NPlus1},
		}),
		Layout:     layout,
		Stores:     stores,
		Invariants: open(triangleSource, "f.y", zero, 0),
		New:        func(n int) (shm.Mutex, error) { return NewTriangle(n, 1, petersons, layout, stores) },
	}
}

// TriangleMutex is Triangle: a process that finds y free tries Lamport's fast lock once. If
// another process is ahead, it goes to a slow lock for n processes. The two paths meet in a
// lock for two. With K > 1 it is the Trapezium: a process that fails on one fast path tries
// the next, and after the last one the slow lock. From each path the way leads through the
// joins of all paths before it.
//
// Source: Wim H. Hesselink, Peter A. Buhr and David Dice, "Fast mutual exclusion by
// the Triangle algorithm", Concurrency and Computation: Practice and Experience
// 30(4), 2018, e4183; the Trapezium is a program, Trapezium.c at
// github.com/pabuhr/concurrent-locking, commit f32f830. Both were read in that
// repository, and not the paper.
//
// Registers, on each path: b[i], a bit, written by process i; x, the id of the last process
// that arrived, and y, the id of the last that claimed, written by all. All read all. y is 0
// if no process holds a claim. Besides, the registers of join and slow.
//
// Properties: mutual exclusion, because the fast path lets one process in until that process
// has freed y, for the reasons of LamportMutex. The join is a lock for this process and the
// holder of slow. Starvation-free: on a fast path a process waits only for processes that are
// about to leave it. No process tries a fast path again, and join and slow are
// starvation-free. Waiting is not bounded, and there is no order of arrival: processes on the
// fast path can pass a process on its way to slow. An uncontended process makes eight accesses
// besides those of the join, for every n. On regular registers the lock loses exclusion. Three
// processes also lose starvation freedom, because two of them can then be at one side of the
// join; the check needs 22 million states to show it.
//
// There is no doorway.
//
//	entry section of process i:
//	1   a := 0; while a < K and not FAST(f[a], i): a := a+1
//	2   if a < K then enter f[a].join as process 0
//	3   else enter slow as process i
//	4   for c := a-1 down to 0: enter f[c].join as process 1
//	exit section of process i:
//	5   for c := 0 to a-1: leave f[c].join as process 1
//	6   if a = K then leave slow
//	7   else leave f[a].join as process 0
//	8       y := 0
//	9       b[i] := false
//	FAST(f, i), with b, x and y of f:
//	10  if y is not 0 then return false
//	11  b[i] := true
//	12  x := i
//	13  if y is not 0 then
//	14      b[i] := false; return false
//	15  y := i
//	16  if x = i then return true
//	17  b[i] := false
//	18  for k := 0 to n-1, while y = i:
//	19      wait until y is not i or not b[k]
//	20  return whether y = i
//
// Released stores: line 11, because line 12 has a fence, and nothing is read in between; lines
// 8 and 9, which leave the critical section in this order, so that a late store is a late
// exit; and those of join. Lines 14 and 17, and those of slow, could be. They keep their
// fences so that three processes are checked in seconds, and an uncontended process does not
// execute them.
//
// Deviations: processes are numbered from 0, but x and y hold ids from 1. The program of
// Triangle uses the sides of join the other way round.
type TriangleMutex struct {
	_    shm.NoCopy
	f    []path
	slow shm.Mutex
	a    shm.Array[int] // a[i] is of process i alone
}

// NewTriangle returns Triangle for n processes, or with k > 1 the Trapezium of k fast
// paths, over a slow path. It returns that path's error, or a *shm.ProcsError.
func NewTriangle(n, k int, s SlowPath, layout shm.Layout, stores shm.Stores) (*TriangleMutex, error) {
	slow, joins, err := s.locks("fast/triangle", n, k, layout, stores)
	if err != nil {
		return nil, err
	}
	l := &TriangleMutex{f: make([]path, k), slow: slow, a: shm.NewArray[int](n, shm.Padded)}
	for a := range l.f {
		l.f[a].join = joins[a]
		l.f[a].init(n, layout, stores)
	}
	return l, nil
}

// Lock acquires the lock for process i.
func (l *TriangleMutex) Lock(i int) {
	a := 0
	for ; a < len(l.f); a++ {
		if f := &l.f[a]; f.enter(i) { // 1
			f.join.Lock(0) // 2
			break
		}
	}
	if a == len(l.f) {
		l.slow.Lock(i) // 3
	}
	for c := a - 1; c >= 0; c-- {
		l.f[c].join.Lock(1) // 4
	}
	*l.a.At(i) = a
}

// Unlock releases the lock for process i.
func (l *TriangleMutex) Unlock(i int) {
	a := *l.a.At(i)
	for c := range a {
		l.f[c].join.Unlock(1) // 5
	}
	if a == len(l.f) {
		l.slow.Unlock(i) // 6
		return
	}
	f := &l.f[a]
	f.join.Unlock(0) // 7
	f.leave(i)
}

// path is a fast path with its join.
type path struct {
	released bool
	n        int
	b        shm.Array[register.Bool]
	x, y     *register.Uint32
	join     shm.Mutex
}

func (f *path) init(n int, layout shm.Layout, stores shm.Stores) {
	r := shm.NewArray[register.Uint32](2, layout)
	f.released, f.n = stores == shm.Released, n
	f.b, f.x, f.y = shm.NewArray[register.Bool](n, layout), r.At(0), r.At(1)
	f.x.Store(1)
}

// enter is FAST.
func (f *path) enter(i int) bool {
	me, b := uint32(i+1), f.b.At(i)
	if f.y.Load() != 0 { // 10
		return false
	}
	b.StoreReleaseIf(f.released, true) // 11
	f.x.Store(me)                      // 12
	if f.y.Load() != 0 {               // 13
		b.Store(false) // 14
		return false
	}
	f.y.Store(me)                                 // 15
	return f.x.Load() == me || f.overtaken(i, me) // 16
}

// overtaken is lines 17 to 20.
func (f *path) overtaken(i int, me uint32) bool {
	f.b.At(i).Store(false)                         // 17
	for k := 0; k < f.n && f.y.Load() == me; k++ { // 18
		spin.Until(func() bool { return f.y.Load() != me || !f.b.At(k).Load() }) // 19
	}
	return f.y.Load() == me // 20
}

// leave is lines 8 and 9.
func (f *path) leave(i int) {
	f.y.StoreReleaseIf(f.released, 0)           // 8
	f.b.At(i).StoreReleaseIf(f.released, false) // 9
}
