package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// MCSTryMutex is the abortable MCS lock: its list is linked in both directions, and a process
// that gives up takes its node out together with both neighbors.
//
// Source: Michael L. Scott and William N. Scherer III, "Scalable Queue-Based Spin Locks with
// Timeout", PPoPP 2001, p. 44-52. Written after the authors' program in thawk105/ccbench,
// instruction/mcslock_with_timeout.c at commit a4d4633, which is correct for two processes.
// The known-broken mcs-try shows its fault with three.
//
// Registers: tail, the last node of the list or nil, changed by all. Each process i has a node
// with prev, on which it waits, and next, which i and its neighbors change. It also has
// cleared, a bit that i and a leaving process write. prev and next hold a node, which may be
// tagged as restored (in prev), transient (in next) or granted; or nil, which may be
// transient; or self or other, if the process itself or the neighbor is leaving; or that the
// neighbor is gone.
//
// Properties: as long as no process gives up, those of MCS, with bypass n-2: a leaving process
// waits until its successor has noticed (line 40). A process that gives up marks its own
// pointers and those of its neighbors, each by one swap. Of two neighbors that give up, the
// one nearer to the front goes first. If the process has no successor, the next of its
// predecessor is transient until the tail has been set back. A process that arrives meanwhile
// finds the tag, and waits to be told that it has been cleared (line 7). No process returns
// while another may still access its node. But an exit section waits while its next is
// transient, or says that the neighbor leaves. Successors that arrive and give up again and
// again can make this so at each look: with processes that give up, the lock is not
// deadlock-free. The paper does not mention this.
//
// The doorway is lines 1 and 2.
//
//	timed entry section of process i, whose node is I:
//	1  I.next := nil
//	2  pred := swap(tail, I); if pred = nil then enter
//	3  I.cleared := false
//	4  I.prev := transient(nil)
//	5  was := pred.next; pred.next := I, transient if was is, in one step
//	6  if was = leaving self then wait until I.prev is not transient(nil); relink if it is a node
//	7  else if was is transient then wait until I.cleared; compare-and-swap(I.prev, transient(nil), pred)
//	8  until time is out, wait until p := I.prev is not pred
//	9  if p = leaving other then wait until p := I.prev is not
//	10 if p is granted(q) then q.next := nil, and enter
//	11 relink; goto 8
//	relink, where p is a node that I.prev has named:
//	R1 if p is restored then remove the tag, unless I.prev has changed, and return
//	R2 pred := p; if swap(pred.next, I) is not leaving self then return
//	R3 wait until p := I.prev is not pred; if it is a node then goto R1
//	out of time:
//	12 wait until succ := I.next is not transient
//	13 if compare-and-swap(I.next, succ, leaving self) fails then goto 12
//	14 if succ = gone then succ := nil
//	15 if succ = leaving other then wait until I.next is not leaving self; goto 12
//	16 if succ is not nil then if swap(succ.prev, leaving other) = leaving self then
//	17     wait until I.next = succ
//	18 p := swap(I.prev, leaving self)
//	19 if p = leaving other then wait until p := I.prev is neither mark; unless it is granted relink, goto 18
//	   if p is granted then goto 29
//	20 if p is not pred then relink
//	21 n := swap(pred.next, transient(nil) if succ is nil, else leaving other)
//	22 if n is granted then wait until p := I.prev is not leaving self; goto 29
//	23 if n = leaving self then pred.next := I; wait as on line 19; if p is granted then goto 29;
//	   relink; goto 18
//	24 if succ = nil then if compare-and-swap(tail, I, pred) succeeds then
//	25     if compare-and-swap(pred.next, transient(nil), gone) fails, because pred.next = transient(q), then
//	26         pred.next := q; q.cleared := true
//	       fail
//	27 if succ = nil then wait until succ := I.next is not leaving self; pred.next := leaving other
//	28 succ.prev := pred; fail
//	29 p is granted(q): q.next := nil
//	30 if succ = nil then if compare-and-swap(I.next, leaving self, nil) succeeds then enter
//	31     I.next.prev := restored(I), and enter
//	32 I.next := succ; succ.prev := restored(I), and enter
//	exit section:
//	33 wait until succ := I.next is neither leaving other nor transient
//	34 if succ = gone then if compare-and-swap(I.next, gone, nil) succeeds then succ := nil, else goto 33
//	35 if succ = nil then if compare-and-swap(tail, I, nil) succeeds then
//	36     wait until I.next is not transient, and return
//	37     else wait until I.next is not nil; goto 33
//	38 if compare-and-swap(I.next, succ, granted(nil)) fails then goto 33
//	39 succ.prev := granted(I)
//	40 wait until I.next = nil
//
// Deviations: in the program, an arriving process that finds a transient next waits for its
// prev to change. Line 26 tells it by compare-and-swap(q.prev, transient(nil), nil). By then
// that process may have acquired the lock, left and arrived again. Then it gets the answer
// that was meant for its previous passage. The bit cleared, for which it always waits, was
// added here. Line 39 is a swap in the program. There is no variant with release stores:
// nearly all stores meet the compare-and-swaps of a neighbor.
type MCSTryMutex struct {
	_    shm.NoCopy
	_    shm.Pad
	tail atomic.Uint32 // no process, or the name of a node
	_    shm.Pad
	node shm.Array[mcsTryNode]
}

type mcsTryNode struct {
	prev, next atomic.Uint32 // a name, with one of the tags or without; or a mark
	cleared    atomic.Bool
}

// The values of prev and next, besides the names of nodes.
const (
	nobody = 0

	tagged  = 1 // of prev: it is the same as before; of next: it is yet to be settled
	granted = 2 // of prev: the lock is yours; of next: it is being handed over

	leavingSelf  = 4
	leavingOther = 8
	gone         = 12

	firstName = 16
)

// NewMCSTry returns an MCS lock with timeout for n processes, or a *shm.ProcsError.
func NewMCSTry(n int, layout shm.Layout) (*MCSTryMutex, error) {
	return shm.New[*MCSTryMutex](MCSTry(layout), n)
}

func buildMCSTry(b shm.Build) shm.Mutex {
	return &MCSTryMutex{node: shm.NewArray[mcsTryNode](b.N, b.Layout)}
}

// of returns the node with a name.
func (l *MCSTryMutex) of(name uint32) *mcsTryNode { return l.node.At(int(name-firstName) / 4) }

// named reports whether prev or next names a node, and does not grant the lock.
func named(p uint32) bool { return p >= firstName && p&granted == 0 }

// Lock acquires the lock for process i.
func (l *MCSTryMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i, or gives up after giveUp returns true.
func (l *MCSTryMutex) LockUntil(i int, giveUp func() bool) bool {
	I := uint32(firstName + 4*i)
	node := l.of(I)
	node.next.Store(nobody) // 1
	pred := l.tail.Swap(I)  // 2
	if pred == nobody {
		return true
	}
	node.cleared.Store(false) // 3
	node.prev.Store(tagged)   // 4
	pred = l.follow(node, I, pred)
	for {
		p := node.prev.Load() // 8
		if p == pred {
			if giveUp() {
				return l.leave(node, I, pred)
			}
			spin.Pause()
			continue
		}
		if p == leavingOther {
			p = changed(&node.prev, leavingOther) // 9
		}
		if p&granted != 0 {
			l.of(p &^ granted).next.Store(nobody) // 10
			return true
		}
		pred = l.relink(node, I, pred, p) // 11
	}
}

// follow is lines 5 to 7. It returns the predecessor.
func (l *MCSTryMutex) follow(node *mcsTryNode, I, pred uint32) uint32 {
	next := &l.of(pred).next
	before := next.Load()                               // 5
	for !next.CompareAndSwap(before, I|before&tagged) { // 5
		spin.Pause()
		before = next.Load() // 5
	}
	if before == leavingSelf {
		if p := changed(&node.prev, tagged); named(p) { // 6
			return l.relink(node, I, pred, p)
		}
		return pred
	}
	if before&tagged != 0 {
		spin.Until(func() bool { return node.cleared.Load() }) // 7
	}
	node.prev.CompareAndSwap(tagged, pred) // 7
	return pred
}

// changed waits until a register differs from v, and returns its new value.
func changed(word *atomic.Uint32, v uint32) uint32 {
	now := v
	spin.Until(func() bool { now = word.Load(); return now != v })
	return now
}

// relink is R1 to R4, for the node that p names. It returns the predecessor.
func (l *MCSTryMutex) relink(node *mcsTryNode, I, pred, p uint32) uint32 {
	for named(p) {
		if p&tagged != 0 {
			node.prev.CompareAndSwap(p, p&^tagged) // R1
			return pred
		}
		pred = p
		if l.of(pred).next.Swap(I) != leavingSelf { // R2
			return pred
		}
		p = changed(&node.prev, pred) // R3
	}
	return pred
}

// Unlock releases the lock for process i.
func (l *MCSTryMutex) Unlock(i int) {
	I := uint32(firstName + 4*i)
	node := l.of(I)
	for ; ; spin.Pause() {
		succ := node.next.Load()                                    // 33
		if succ == gone && node.next.CompareAndSwap(gone, nobody) { // 34
			succ = nobody
		}
		switch {
		case succ == nobody:
			if l.tail.CompareAndSwap(I, nobody) { // 35
				spin.Until(func() bool { return node.next.Load()&tagged == 0 }) // 36
				return
			}
			changed(&node.next, nobody) // 37
		case named(succ) && succ&tagged == 0:
			if node.next.CompareAndSwap(succ, granted) { // 38
				l.of(succ).prev.Store(I | granted)                            // 39
				spin.Until(func() bool { return node.next.Load() == nobody }) // 40
				return
			}
		}
	}
}
