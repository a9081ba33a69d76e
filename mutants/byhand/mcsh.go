package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var mcsh = queue.MCSH(shm.Packed, shm.Sequential)

var mcshs = []Mutant{
	mutate(mcsh, "mcsh-flag-kept", "whoever enters leaves the flag up", Safety, 2,
		func(n int) shm.Mutex { return &mcshFlagKept{newMCSH(n)} }),
	mutate(mcsh, "mcsh-no-wait-for-next", "the entry section does not wait for a successor that is yet to link itself", Deadlock, 2,
		func(n int) shm.Mutex { return &mcshNoWaitForNext{newMCSH(n)} }),
}

// mcshBase is MCSH in pieces:
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  I.locked := true
//	3  prev := swap(tail, I)
//	4  if prev = nil then wait until flag
//	5  else prev.next := I
//	6      wait until not I.locked
//	7  flag := false
//	8  succ := I.next
//	9  if succ = nil then if compare-and-swap(tail, I, nil) fails then
//	10     wait until I.next is not nil; succ := I.next
//	11 msg := succ
//	exit section:
//	12 succ := msg
//	13 flag := true
//	14 if succ is not nil then succ.locked := false
type mcshBase struct {
	tail, msg atomic.Uint32 // none, or i+1 for the node of process i
	flag      atomic.Bool
	node      []mcsNode
}

func newMCSH(n int) *mcshBase {
	l := &mcshBase{node: make([]mcsNode, n)}
	l.flag.Store(true)
	return l
}

// await is lines 1 to 6.
func (l *mcshBase) await(i int) {
	I, node := uint32(i+1), &l.node[i]
	node.next.Store(none)                     // 1
	node.locked.Store(true)                   // 2
	if prev := l.tail.Swap(I); prev == none { // 3
		spin.Until(func() bool { return l.flag.Load() }) // 4
	} else {
		l.node[prev-1].next.Store(I) // 5
		node.await()                 // 6
	}
}

// leave is lines 8 to 11.
func (l *mcshBase) leave(i int) {
	I, node := uint32(i+1), &l.node[i]
	succ := node.next.Load()                             // 8
	if succ == none && !l.tail.CompareAndSwap(I, none) { // 9
		spin.Until(func() bool { return node.next.Load() != none }) // 10
		succ = node.next.Load()                                     // 10
	}
	l.msg.Store(succ) // 11
}

// release is line 14.
func (l *mcshBase) release(succ uint32) {
	if succ != none {
		l.node[succ-1].locked.Store(false) // 14
	}
}

func (l *mcshBase) Lock(i int) {
	l.await(i)
	l.flag.Store(false) // 7
	l.leave(i)
}

func (l *mcshBase) Unlock(int) {
	succ := l.msg.Load() // 12
	l.flag.Store(true)   // 13
	l.release(succ)
}

type mcshFlagKept struct{ *mcshBase }

func (l *mcshFlagKept) Lock(i int) {
	l.await(i)
	l.leave(i)
}

type mcshNoWaitForNext struct{ *mcshBase }

func (l *mcshNoWaitForNext) Lock(i int) {
	l.await(i)
	l.flag.Store(false)           // 7
	succ := l.node[i].next.Load() // 8
	if succ == none {
		l.tail.CompareAndSwap(uint32(i+1), none) // 9
		succ = l.node[i].next.Load()             // 10
	}
	l.msg.Store(succ) // 11
}
