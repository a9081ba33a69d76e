package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RCLH returns the specification of the recoverable CLH lock.
func RCLH() shm.Algorithm {
	return shm.Algorithm{
		Name:     "recoverable/rclh",
		Title:    "Recoverable CLH",
		Source:   own("The CLH queue with the tail and all predecessors in one word"),
		Class:    shm.CompareAndSwap | shm.FetchAndOr,
		MaxProcs: 14,
		Claims: shm.Claims{
			DeadlockFree: true,
			Recovery:     &shm.Recovery{Reentry: shm.Const(3), Recover: shm.Const(8), Exit: shm.Const(7), References: remote},
		},
		Space: shm.Space{
			{Name: "must", Count: shm.NPlus1, Values: shm.NPlus1},
			{Name: "queue", Count: shm.Const(1), Values: rclhQueues},
			{Name: "own", Count: shm.N, Values: shm.NPlus1, SingleWriter: true},
			{Name: "leaving", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
		},
	}.Built(shm.Padded, shm.Sequential, buildRCLH)
}

// rclhQueues is the number of values of queue: k processes have a predecessor, and their
// predecessors and tail are k+1 different nodes.
var rclhQueues = shm.Formula{Text: "sum over k of binomial(n,k) (n+1)!/(n-k)!", At: func(n int) int {
	total, chosen, nodes := 0, 1, n+1
	for k := range n + 1 {
		total += chosen * nodes
		chosen, nodes = chosen*(n-k)/(k+1), nodes*(n-k)
	}
	return total
}}

// RCLHMutex is the queue lock of Craig, Magnusson, Landin and Hagersten. The predecessor of
// a process is stored in the same step in which the process becomes the tail, so that no
// crash comes in between.
//
// Source: constructed for this catalog from P. S. Magnusson, A. Landin and E. Hagersten,
// "Queue Locks on Cache Coherent Multiprocessors", IPPS 1994, p. 165-171, and from the
// operation of P. Jayanti, S. Jayanti and A. Joshi, "Optimal Recoverable Mutual Exclusion
// using only FASAS", NETYS 2018, whose abstract was read; decided by check. It is not their
// lock.
//
// Registers: queue, a word that has the node tail and for each process the node pred[i] or
// none, written by all; must[x], a process or none, written by the process that owns node x;
// own[i], a node, and leaving[i], a bit, both written by process i.
//
// Properties: a process waits until its predecessor's node is cleared, so processes enter in
// the order in which they became the tail. A process can fail to become the tail forever,
// so it can starve. Under crashes pred[i] and leaving[i] say where process i crashed. The
// register must[x] names the process that set it: the successor may have taken the node, so
// a second clearing of the same node could let two processes in.
//
// There is no doorway: line E4 is a loop.
//
//	recover section of process i:
//	R1  if leaving[i]
//	R2      p := pred[i]; if p ≠ none
//	R3          x := own[i]
//	R4          if must[x] = i
//	R5              must[x] := none
//	R6          own[i] := p
//	R7          pred[i] := none
//	R8      leaving[i] := false; the passage is finished
//	R9  p := pred[i]; if p ≠ none and
//	R10         must[p] = none, process i is in its critical section
//	entry section:
//	E1  p := pred[i]; if p = none
//	E2      x := own[i]
//	E3      must[x] := i
//	E4      p := tail, pred[i] := p and tail := x in one step
//	E5  wait until must[p] = none
//	exit section:
//	X1  leaving[i] := true
//	X2  x := own[i]
//	X3  must[x] := none
//	X4  own[i] := pred[i]
//	X5  pred[i] := none
//	X6  leaving[i] := false
//
// Deviations: no machine fetches and stores to two words in one step. So tail and pred are
// fields of four bits in one word. Line E4 is a loop with compare-and-swap, and there are at
// most 14 processes. The loop costs first-come-first-served order, starvation freedom and
// the bound on remote memory references.
type RCLHMutex struct {
	_       shm.NoCopy
	must    shm.Array[register.Uint32] // the process and 1, or 0
	queue   *register.Uint64           // fields with a node and 1: pred[i] in field i, and tail
	own     shm.Array[register.Uint32]
	leaving shm.Array[register.Bool]
}

// The fields of the word queue.
const (
	fieldBits = 4
	fieldMask = 1<<fieldBits - 1
	tailField = 60
)

// field returns the four bits of a word from a place on.
func field(word uint64, place int) uint32 { return uint32(word >> place & fieldMask) }

// NewRCLH returns the lock for n processes, or a *shm.ProcsError.
func NewRCLH(n int) (*RCLHMutex, error) { return shm.New[*RCLHMutex](RCLH(), n) }

func buildRCLH(b shm.Build) shm.Mutex {
	l := &RCLHMutex{
		must:    shm.NewArray[register.Uint32](b.N+1, b.Layout),
		queue:   shm.NewArray[register.Uint64](1, b.Layout).At(0),
		own:     shm.NewArray[register.Uint32](b.N, b.Layout),
		leaving: shm.NewArray[register.Bool](b.N, b.Layout),
	}
	for i := range b.N {
		l.own.At(i).Store(uint32(i))
	}
	l.queue.Store((uint64(b.N) + 1) << tailField)
	return l
}

// Recover finds out where process i crashed.
func (l *RCLHMutex) Recover(i int) shm.Outcome {
	if l.leaving.At(i).Load() { // R1
		if p := field(l.queue.Load(), fieldBits*i); p != 0 { // R2
			x := int(l.own.At(i).Load())            // R3
			if l.must.At(x).Load() == uint32(i)+1 { // R4
				l.must.At(x).Store(0) // R5
			}
			l.own.At(i).Store(p - 1) // R6
			l.clearPred(i)           // R7
		}
		l.leaving.At(i).Store(false) // R8
		return shm.Finished
	}
	if p := field(l.queue.Load(), fieldBits*i); p != 0 && l.must.At(int(p)-1).Load() == 0 { // R9, R10
		return shm.Inside
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RCLHMutex) Lock(i int) {
	p := field(l.queue.Load(), fieldBits*i) // E1
	if p == 0 {
		x := l.own.At(i).Load()                // E2
		l.must.At(int(x)).Store(uint32(i) + 1) // E3
		p = l.enqueue(i, x+1)                  // E4
	}
	spin.Until(func() bool { return l.must.At(int(p)-1).Load() == 0 }) // E5
}

// enqueue makes a node, given with 1 added, the tail and its old value pred[i].
func (l *RCLHMutex) enqueue(i int, node uint32) (pred uint32) {
	for {
		q := l.queue.Load() // E4
		pred = field(q, tailField)
		to := q&^(fieldMask<<(fieldBits*i)|fieldMask<<tailField) | uint64(pred)<<(fieldBits*i) | uint64(node)<<tailField
		if l.queue.CompareAndSwap(q, to) { // E4
			return pred
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *RCLHMutex) Unlock(i int) {
	l.leaving.At(i).Store(true)                               // X1
	x := int(l.own.At(i).Load())                              // X2
	l.must.At(x).Store(0)                                     // X3
	l.own.At(i).Store(field(l.queue.Load(), fieldBits*i) - 1) // X4
	l.clearPred(i)                                            // X5
	l.leaving.At(i).Store(false)                              // X6
}

// clearPred makes pred[i] none.
func (l *RCLHMutex) clearPred(i int) { l.queue.And(^(uint64(fieldMask) << (fieldBits * i))) }
