package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// mcsTry is MCS-try as its authors' program has it. Process 1 gives up here, once in each
// passage, and the others wait. The last leaving process tells a process that has arrived
// meanwhile that it is done, by a compare-and-swap. That process may have acquired the lock
// before, left and arrived again, and its node looks the same as then. It receives in its
// second passage the message that was meant for its first, and believes that it has no
// predecessor.
var mcsTry = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/mcs-try",
		Title: "MCS lock with timeout, MCS-try",
		Source: shm.Source{
			Author: "Michael L. Scott and William N. Scherer III",
			Title:  "Scalable Queue-Based Spin Locks with Timeout",
			Venue:  "8th ACM Symposium on Principles and Practice of Parallel Programming",
			Year:   2001,
			Page:   "44-52",
		},
		Class:    shm.Swap | shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true, StarvationFree: true},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "prev", Count: shm.N, Values: mcsTryLinks(shm.Formula{Text: "at most 3n+1", At: func(n int) int { return 3*n + 1 }})},
			{Name: "next", Count: shm.N, Values: mcsTryLinks(shm.Formula{Text: "at most 2n+4", At: func(n int) int { return 2*n + 4 }})},
		},
	},
	Read:     "instruction/mcslock_with_timeout.c of thawk105/ccbench, commit a4d4633, which has the authors' program; the authors' own page was not seen",
	Claimed:  "a process that gives up has left the queue when the call returns, and no pointer to its node remains",
	Property: panics,
	Verdict:  "a process that was slow to leave tells another process, in that process's next passage, to continue from a predecessor that is nil.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    42,
	Fix:      "a process that arrives while the other leaves waits for a signal in a bit of its own, even if it may enter",
	Fixed:    "abort/mcstry",
}, func(n int) shm.Mutex { return &mcsTryMutex{node: make([]mcsTryNode, n)} })

// mcsTryLinks is how many values a link takes: as many as were found for two and three processes, or else a bound.
func mcsTryLinks(bound shm.Formula) shm.Formula {
	return shm.UpTo(3, shm.Formula{Text: "3n-1", At: func(n int) int { return 3*n - 1 }}, bound)
}

// mcsTryMutex, with the tagged words written as restored(p), transient(p) or granted(p):
//
//	entry section of process i, whose node is I:
//	1  I.next := nil
//	2  pred := swap(tail, I); if pred = nil then enter
//	3  I.prev := transient(nil)
//	4  was := pred.next; pred.next := I, transient if was is, in one step
//	5  if was is transient then wait until I.prev is not transient(nil); compare-and-swap(I.prev, nil, pred)
//	6  else if was = leaving self then wait until p := I.prev is not transient(nil); if it is a node then relink
//	7  else compare-and-swap(I.prev, transient(nil), pred)
//	8  wait until p := I.prev is not pred, or give up
//	9  if p = leaving other then wait until p := I.prev is not
//	10 if p is granted(q) then q.next := nil, and enter
//	11 relink; goto 8
//	relink:
//	12 if p is restored then remove the tag, unless I.prev has changed, and return
//	13 pred := p; pred.next := I
//	give up:
//	14 succ := swap(I.next, leaving self)
//	15 if succ is not nil then succ.prev := leaving other
//	16 p := swap(I.prev, leaving self); if p is granted then goto 23
//	17 n := swap(pred.next, transient(nil) if succ is nil, else leaving other)
//	18 if n is granted then wait until p := I.prev is not leaving self; goto 23
//	19 if succ = nil then if compare-and-swap(tail, I, pred) succeeds then
//	20     if compare-and-swap(pred.next, transient(nil), gone) fails, because pred.next = transient(q), then
//	21         pred.next := q; compare-and-swap(q.prev, transient(nil), nil)
//	       goto 1
//	22 if succ = nil then wait until succ := I.next is not leaving self; pred.next := leaving other
//	   succ.prev := pred; goto 1
//	23 p is granted(q): q.next := nil
//	24 if succ = nil then if compare-and-swap(I.next, leaving self, nil) succeeds then enter
//	25 if succ = nil then I.next.prev := restored(I), else I.next := succ; succ.prev := restored(I); enter
//	exit section:
//	26 wait until succ := I.next is neither leaving other nor transient
//	27 if succ = gone then I.next := nil, unless it has changed; goto 26
//	28 if succ = nil then if compare-and-swap(tail, I, nil) succeeds then
//	29     wait until I.next is not transient, and return
//	30     else wait until I.next is not nil; goto 26
//	31 if compare-and-swap(I.next, succ, granted(nil)) fails then goto 26
//	32 succ.prev := granted(I)
//	33 wait until I.next = nil
//
// The case of two neighbors that give up at once is left out.
type mcsTryMutex struct {
	tail atomic.Uint32 // 0, or the name of a node
	node []mcsTryNode
}

type mcsTryNode struct{ prev, next atomic.Uint32 }

const (
	mcsTryImpatient = 1 // the process that gives up

	tryTagged  = 1 // restored, or transient
	tryGranted = 2

	tryLeavingSelf  = 4
	tryLeavingOther = 8
	tryGone         = 12
	tryFirst        = 16 // the name of process 0's node
)

// of returns the node with a name, and panics if the name is nil.
func (l *mcsTryMutex) of(name uint32) *mcsTryNode { return &l.node[int(name-tryFirst)/4] }

func (l *mcsTryMutex) Lock(i int) {
	if !l.attempt(i, i == mcsTryImpatient) {
		l.attempt(i, false)
	}
}

// attempt is lines 1 to 11. It reports whether the process has entered.
func (l *mcsTryMutex) attempt(i int, impatient bool) bool {
	I := uint32(tryFirst + 4*i)
	node := l.of(I)
	node.next.Store(0)     // 1
	pred := l.tail.Swap(I) // 2
	if pred == 0 {
		return true
	}
	node.prev.Store(tryTagged) // 3
	pred = l.follow(node, I, pred)
	for {
		p := node.prev.Load() // 8
		if p == pred {
			if impatient {
				return l.leave(node, I, pred)
			}
			spin.Pause()
			continue
		}
		if p == tryLeavingOther {
			p = changed(&node.prev, tryLeavingOther) // 9
		}
		if p&tryGranted != 0 {
			l.of(p &^ tryGranted).next.Store(0) // 10
			return true
		}
		pred = l.relink(node, I, pred, p) // 11
	}
}

// follow is lines 4 to 7. It returns the predecessor.
func (l *mcsTryMutex) follow(node *mcsTryNode, I, pred uint32) uint32 {
	next := &l.of(pred).next
	was := next.Load()                               // 4
	for !next.CompareAndSwap(was, I|was&tryTagged) { // 4
		spin.Pause()
		was = next.Load() // 4
	}
	switch {
	case was&tryTagged != 0:
		changed(&node.prev, tryTagged)    // 5
		node.prev.CompareAndSwap(0, pred) // 5
	case was == tryLeavingSelf:
		if p := changed(&node.prev, tryTagged); p >= tryFirst && p&tryGranted == 0 { // 6
			return l.relink(node, I, pred, p)
		}
	default:
		node.prev.CompareAndSwap(tryTagged, pred) // 7
	}
	return pred
}

// changed waits until a word differs from v, and returns its new value.
func changed(word *atomic.Uint32, v uint32) uint32 {
	now := v
	spin.Until(func() bool { now = word.Load(); return now != v })
	return now
}

// relink is lines 12 and 13. It returns the predecessor.
func (l *mcsTryMutex) relink(node *mcsTryNode, I, pred, p uint32) uint32 {
	if p&tryTagged != 0 {
		node.prev.CompareAndSwap(p, p&^tryTagged) // 12
		return pred
	}
	l.of(p).next.Swap(I) // 13
	return p
}

// leave is lines 14 to 22. It reports whether the process has entered after all.
func (l *mcsTryMutex) leave(node *mcsTryNode, I, pred uint32) bool {
	succ := node.next.Swap(tryLeavingSelf) // 14
	mark := uint32(tryTagged)
	if succ != 0 {
		mark = tryLeavingOther
		l.of(succ).prev.Swap(tryLeavingOther) // 15
	}
	next := &l.of(pred).next
	p := node.prev.Swap(tryLeavingSelf)                       // 16
	if p&tryGranted == 0 && next.Swap(mark)&tryGranted != 0 { // 17
		p = changed(&node.prev, tryLeavingSelf) // 18
	}
	if p&tryGranted != 0 {
		l.stay(node, I, succ, p)
		return true
	}
	if succ == 0 {
		if l.tail.CompareAndSwap(I, pred) { // 19
			if !next.CompareAndSwap(tryTagged, tryGone) { // 20
				q := next.Load() &^ tryTagged             // 20
				next.Store(q)                             // 21
				l.of(q).prev.CompareAndSwap(tryTagged, 0) // 21
			}
			return false
		}
		succ = changed(&node.next, tryLeavingSelf) // 22
		next.Store(tryLeavingOther)                // 22
	}
	l.of(succ).prev.Store(pred) // 22
	return false
}

// stay is lines 23 to 25.
func (l *mcsTryMutex) stay(node *mcsTryNode, I, succ, p uint32) {
	l.of(p &^ tryGranted).next.Store(0) // 23
	if succ == 0 {
		if node.next.CompareAndSwap(tryLeavingSelf, 0) { // 24
			return
		}
		succ = node.next.Load() // 25
	} else {
		node.next.Store(succ) // 25
	}
	l.of(succ).prev.Store(I | tryTagged) // 25
}

func (l *mcsTryMutex) Unlock(i int) {
	I := uint32(tryFirst + 4*i)
	node := l.of(I)
	for ; ; spin.Pause() {
		switch succ := node.next.Load(); { // 26
		case succ == tryGone:
			node.next.CompareAndSwap(tryGone, 0) // 27
		case succ == 0:
			if l.tail.CompareAndSwap(I, 0) { // 28
				spin.Until(func() bool { return node.next.Load()&tryTagged == 0 }) // 29
				return
			}
			changed(&node.next, 0) // 30
		case succ >= tryFirst && succ&tryTagged == 0:
			if node.next.CompareAndSwap(succ, tryGranted) { // 31
				l.of(succ).prev.Store(I | tryGranted)                    // 32
				spin.Until(func() bool { return node.next.Load() == 0 }) // 33
				return
			}
		}
	}
}
