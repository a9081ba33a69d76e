package abort

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var amortized = shm.Source{
	Author: "Prasad Jayanti and Siddhartha Jayanti",
	Title:  "Deterministic Constant-Amortized-RMR Abortable Mutex for CC and DSM",
	Venue:  "ACM Transactions on Parallel Computing 8(4)",
	Year:   2021,
}

// JJCC returns the specification of Jayanti and Jayanti's abortable lock for coherent caches
// for a layout and for its stores.
func JJCC(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:   "abort/jjcc",
		Title:  "Jayanti and Jayanti's abortable queue lock, for coherent caches",
		Source: amortized,
		Class:  shm.Swap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Mixed: shm.Mixed{
				DeadlockFree:  true,
				Writers:       shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"},
				WaitFreeAbort: true,
			},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "node", Count: shm.NPlus1, Values: shm.Formula{Text: "n+2", At: func(n int) int { return n + 2 }}},
		},
	}.Built(layout, stores, buildJJCC)
}

// JJCCMutex is a queue lock in which a process gives up with one store, and may take its
// old place again when it comes back.
//
// Source: Prasad Jayanti and Siddhartha Jayanti, "Deterministic Constant-Amortized-RMR
// Abortable Mutex for CC and DSM", ACM Transactions on Parallel Computing 8(4), 2021,
// algorithm 1; first as "Constant Amortized RMR Abortable Mutex for CC and DSM", PODC 2019,
// p. 167-176. Written after the pseudo-code in the authors' module
// AbortableQueueLockCC.tla, github.com/visveswara/machine-certified-linearizability,
// commit 7469ee3.
//
// Registers: tail, a node, swapped by all; n+1 nodes of one word each. A node holds nil,
// token or the node before it. Its owner writes token when it leaves, and the node before
// when it gives up. The successor takes the word by a swap.
//
// Properties: mutual exclusion, because the token that a process leaves behind reaches one
// process, the one behind it. A process that gives up leaves in its node the way past it. If
// the successor takes this way, the owner is out of the queue. If the owner comes back
// first, its swap on line 1 finds pred unchanged. Then the owner is in its old place,
// without a change of tail. Without attempts that fail, the lock is first-come-first-served
// in the order of line 2, so that the bypass is n-1. With such attempts, a process that
// comes back can enter before those that came meanwhile. Each other process still passes a
// patient process at most once. Giving up and leaving are one store each. The paper's
// amortized number of remote references is constant in a passage, with one word for each
// process and no compare-and-swap.
//
// The doorway is lines 1 and 2.
//
//	timed entry section of process i, whose node is mine:
//	1  if swap(*mine, nil) = pred then goto 3
//	2  pred := swap(tail, mine)
//	3  v := swap(*pred, nil); if v is a node then pred := v; if v = token then enter
//	4  until time is out, repeat v := *pred; if v = token then enter
//	5      if v is a node then v := swap(*pred, nil); if v is a node then pred := v; if v = token then enter
//	out of time:
//	6  *mine := pred; fail
//	exit section:
//	7  *mine := token; mine := pred
//
// At the start tail is a node that holds token, and mine = pred is a node of process i
// that holds nil. Both are private to the process and keep their values between passages.
//
// Released stores: lines 6 and 7. Each keeps the successor waiting until it is visible. Line
// 7 in addition leaves the critical section before it where it is. The next access of the
// process is the swap of line 1.
//
// Deviations: pointers to nodes are numbers. A process is asked whether it gives up only when
// line 4 has read nil. The paper's second algorithm, for distributed memory, was not read.
type JJCCMutex struct {
	_        shm.NoCopy
	_        shm.Pad
	tail     atomic.Uint32 // the name of a node
	_        shm.Pad
	released bool
	node     shm.Array[register.Uint32] // jjNil, jjToken, or the name of a node
	private  shm.Array[jjPrivate]       // private[i] is used by process i only
}

type jjPrivate struct{ mine, pred uint32 } // names of nodes

// What a node holds, beside the name of a node.
const (
	jjNil   = 0
	jjToken = 1
	firstJJ = 2 // the name of the first node
)

// NewJJCC returns the lock for n processes, or a *shm.ProcsError.
func NewJJCC(n int, layout shm.Layout, stores shm.Stores) (*JJCCMutex, error) {
	return shm.New[*JJCCMutex](JJCC(layout, stores), n)
}

func buildJJCC(b shm.Build) shm.Mutex {
	l := &JJCCMutex{
		released: b.Released,
		node:     shm.NewArray[register.Uint32](b.N+1, b.Layout),
		private:  shm.NewArray[jjPrivate](b.N, shm.Padded),
	}
	for i := range b.N {
		name := uint32(firstJJ + i)
		*l.private.At(i) = jjPrivate{mine: name, pred: name}
	}
	l.node.At(b.N).Store(jjToken)
	l.tail.Store(uint32(firstJJ + b.N))
	return l
}

// of returns the node of a name.
func (l *JJCCMutex) of(name uint32) *register.Uint32 { return l.node.At(int(name - firstJJ)) }

// Lock acquires the lock for process i.
func (l *JJCCMutex) Lock(i int) { l.LockUntil(i, never) }

// LockUntil acquires the lock for process i and returns true, or gives up and returns
// false after giveUp has returned true.
func (l *JJCCMutex) LockUntil(i int, giveUp func() bool) bool {
	p := l.private.At(i)
	if l.of(p.mine).Swap(jjNil) != p.pred { // 1
		p.pred = l.tail.Swap(p.mine) // 2
	}
	v := l.of(p.pred).Swap(jjNil) // 3
	if v >= firstJJ {
		p.pred = v // 3
	}
	for v != jjToken {
		v = l.of(p.pred).Load() // 4
		if v == jjNil {
			if giveUp() {
				l.of(p.mine).StoreReleaseIf(l.released, p.pred) // 6
				return false
			}
			spin.Pause()
		}
		if v >= firstJJ {
			v = l.of(p.pred).Swap(jjNil) // 5
			if v >= firstJJ {
				p.pred = v // 5
			}
		}
	}
	return true
}

// Unlock releases the lock for process i.
func (l *JJCCMutex) Unlock(i int) {
	p := l.private.At(i)
	l.of(p.mine).StoreReleaseIf(l.released, jjToken) // 7
	p.mine = p.pred                                  // 7
}
