package tournament

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// zhang is the source of Zhang, Yan and Castañeda's trees.
var zhang = shm.Source{
	Author: "Xiaodong Zhang, Yong Yan and Robert Castañeda",
	Title:  "Evaluating and Designing Software Mutual Exclusion Algorithms on Shared-Memory Multiprocessors",
	Venue:  "IEEE Parallel and Distributed Technology 4(1)",
	Year:   1996,
	Page:   "25-42",
}

// Zhang returns the specification of Zhang, Yan and Castañeda's tree of two places a node for
// a layout of its registers and for its stores.
func Zhang(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "tournament/zhang",
		Title:  "Zhang, Yan and Castañeda's two-ary tree",
		Source: zhang,
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree: true,
			Weakest:      shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe},
		},
		Space: shm.Space{
			{Name: "x", Count: Complete(2).perNode(2), Values: shm.Formula{Text: "n/2+1 for n=2^k", At: func(n int) int { return min(n, 1<<max(0, levels.Of(n)-1)) + 1 }}},
			{Name: "c", Count: shm.Formula{Text: "n ceil(log2 n)", At: func(n int) int { return n * levels.Of(n) }}, Values: shm.Const(2), Own: true},
		},
	}.Built(layout, stores, buildZhang)
}

// ZhangMutex is a tournament in which a process waits for a bit of its own, one at each level.
// At each node the left side has precedence.
//
// Source: Xiaodong Zhang, Yong Yan and Robert Castañeda, "Evaluating and Designing
// Software Mutual Exclusion Algorithms on Shared-Memory Multiprocessors", IEEE
// Parallel and Distributed Technology 4(1), 1996, p. 25-42; after Zhang2T.c
// (github.com/pabuhr/concurrent-locking), which does not say on which page it is.
//
// Registers: x[v], for each child v of a node, the id of the process that has come from
// there, or no process, written by it; c[s][i], a bit, for each level s, written by process
// i and its rivals there, and read by process i.
//
// Properties: mutual exclusion, because each process writes x before it reads the x of the
// other side. The right side enters only when it finds no process on the left. The left
// side enters when it finds no process on the right, or when a process on the right lets it
// go. The process on the right then looks again. Deadlock-free, because the left side waits
// only until a process on the right has looked. A process on the right of a node can
// starve: it may find a process on the left each time it looks.
//
// There is no doorway that gives an order: the left side goes first.
//
//	entry section of process i, for each node from its leaf up to the root, v being the
//	child that it comes from, s the level:
//	1  x[v] := i
//	   if v is a left child then
//	2      c[s][i] := 1
//	3      rival := x[right sibling]
//	       if rival is not no process then
//	4          c[s][rival] := 0
//	5          wait until c[s][i] = 0
//	   else forever:
//	6      rival := x[left sibling]; if rival is no process then leave the loop
//	7      c[s][rival] := 0
//	8      wait until c[s][i] = 0
//	9      c[s][i] := 1
//	exit section, for each node from the root down to the leaf:
//	10 x[v] := no process
//	11 rival := x[sibling of v]
//	12 if rival is not no process then c[s][rival] := 0
//
// Waiting: lines 5 and 8 are all waiting. The loop of the right side has no other pause between two
// looks. Line 9 makes the next line 8 wait, so every second round at the latest waits for a
// store of a rival. A pause after line 9 delays the look of a process that was just let go. The
// left side is back by then, and waits in line 5 for that look.
//
// Released stores: lines 4 and 7, which let a rival go: before the next fence, on line 9, 10
// or 1, the process reads only its own bit; line 12, which line 10 of the next node or line 1
// of the next passage takes to memory. A late store only keeps the rival waiting.
type ZhangMutex struct {
	_        shm.NoCopy
	released bool
	leaf     int                        // of process 0; the others follow
	x        shm.Array[register.Uint32] // x[v] is an id plus 1, or 0 for no process
	c        []shm.Array[register.Uint32]
}

// NewZhang returns the tree for n processes, or a *shm.ProcsError.
func NewZhang(n int, layout shm.Layout, stores shm.Stores) (*ZhangMutex, error) {
	return shm.New[*ZhangMutex](Zhang(layout, stores), n)
}

func buildZhang(b shm.Build) shm.Mutex {
	leaf := Complete(2).inner(b.N) + 1
	l := &ZhangMutex{
		released: b.Released,
		leaf:     leaf,
		x:        shm.NewArray[register.Uint32](2*leaf, b.Layout),
		c:        make([]shm.Array[register.Uint32], levels.Of(b.N)),
	}
	for s := range l.c {
		l.c[s] = shm.NewArray[register.Uint32](b.N, b.Layout)
	}
	return l
}

// Lock acquires the lock for process i.
func (l *ZhangMutex) Lock(i int) {
	for v := l.leaf + i; v > 1; v /= 2 {
		c, sibling := &l.c[level(v/2)], l.x.At(v^1)
		mine := c.At(i)
		l.x.At(v).Store(uint32(i) + 1) // 1
		if v%2 == 0 {
			mine.Store(1)                           // 2
			if rival := sibling.Load(); rival > 0 { // 3
				c.At(int(rival)-1).StoreReleaseIf(l.released, 0)    // 4
				spin.Until(func() bool { return mine.Load() == 0 }) // 5
			}
			continue
		}
		for rival := sibling.Load(); rival > 0; rival = sibling.Load() { // 6
			c.At(int(rival)-1).StoreReleaseIf(l.released, 0)    // 7
			spin.Until(func() bool { return mine.Load() == 0 }) // 8
			mine.Store(1)                                       // 9
		}
	}
}

// Unlock releases the lock for process i.
func (l *ZhangMutex) Unlock(i int) {
	leaf := l.leaf + i // its bits, after the first, are the path down
	for below := level(leaf) - 1; below >= 0; below-- {
		v := leaf >> below
		l.x.At(v).Store(0)                            // 10
		if rival := l.x.At(v ^ 1).Load(); rival > 0 { // 11
			l.c[level(v/2)].At(int(rival)-1).StoreReleaseIf(l.released, 0) // 12
		}
	}
}
