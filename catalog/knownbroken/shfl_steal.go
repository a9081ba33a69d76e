package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// shflSteal is ShflLock as its authors' program for user space has it, without the shuffling,
// which does not matter here. The last process of a queue removes itself from the queue and
// then allows arriving processes to take the lock first again. In between another process can
// begin the next queue and forbid it. The permission comes after that, no process withdraws
// it, and others take the lock before the front of the queue forever.
var shflSteal = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/shfl-steal",
		Title: "ShflLock's queue in user space",
		Source: shm.Source{
			Author: "Sanidhya Kashyap, Irina Calciu, Xiaohe Cheng, Changwoo Min and Taesoo Kim",
			Title:  "Scalable and Practical Locking with Shuffling",
			Venue:  "SOSP",
			Year:   2019,
			Page:   "586-599",
		},
		Class:    shm.Swap | shm.CompareAndSwap | shm.FetchAndOr,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "glock", Count: shm.Const(1), Values: shm.Const(4)},
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "status", Count: shm.N, Values: shm.Const(2)},
		},
	},
	Read:     "github.com/sslab-gatech/shfllock, ulocks/src/aqs.c; the listing in the paper was not seen",
	Claimed:  "starvation freedom, because no process steals the lock while there is a queue",
	Property: starvation,
	Verdict:  "a process that leaves the queue allows stealing after its successor has forbidden it, and the successor is bypassed forever.",
	Procs:    2,
	Memory:   Consistent,
	Steps:    20,
	Fix:      "stealing is allowed before the queue is emptied, and forbidden again if that fails",
	Fixed:    "queue/shfl",
}, func(n int) shm.Mutex { return &shflStealMutex{node: make([]shflNode, n)} })

// shflStealMutex:
//
//	entry section of process i, whose node is I; glock is written (nosteal, locked):
//	1  if compare-and-swap(glock, (0,0), (0,1)) succeeds then enter
//	2  I.next := nil
//	3  I.status := false
//	4  prev := swap(tail, I)
//	5  if prev = nil then set nosteal
//	6  else prev.next := I
//	7      wait until I.status
//	8  wait until not locked; set locked; if it was set then goto 8
//	9  if I.next = nil then
//	10     if compare-and-swap(tail, I, nil) succeeds then
//	11         clear nosteal, enter
//	12     wait until I.next is not nil
//	13 I.next.status := true
//	exit section:
//	14 clear locked
type shflStealMutex struct {
	glock atomic.Uint32
	tail  atomic.Uint32 // 0, or i+1 for the node of process i
	node  []shflNode
}

type shflNode struct {
	next   atomic.Uint32 // as tail
	status atomic.Bool
}

// The parts of glock.
const (
	shflLocked  = 1
	shflNoSteal = 2
)

func (l *shflStealMutex) Lock(i int) {
	if l.glock.CompareAndSwap(0, shflLocked) { // 1
		return
	}
	I, node := uint32(i+1), &l.node[i]
	node.next.Store(0)                     // 2
	node.status.Store(false)               // 3
	if prev := l.tail.Swap(I); prev == 0 { // 4
		l.glock.Or(shflNoSteal) // 5
	} else {
		l.node[prev-1].next.Store(I)                          // 6
		spin.Until(func() bool { return node.status.Load() }) // 7
	}
	for {
		spin.Until(func() bool { return l.glock.Load()&shflLocked == 0 }) // 8
		if l.glock.Or(shflLocked)&shflLocked == 0 {                       // 8
			break
		}
		spin.Pause()
	}
	if node.next.Load() == 0 { // 9
		if l.tail.CompareAndSwap(I, 0) { // 10
			l.glock.And(^uint32(shflNoSteal)) // 11
			return
		}
		spin.Until(func() bool { return node.next.Load() != 0 }) // 12
	}
	l.node[node.next.Load()-1].status.Store(true) // 13
}

func (l *shflStealMutex) Unlock(int) {
	l.glock.And(^uint32(shflLocked)) // 14
}
