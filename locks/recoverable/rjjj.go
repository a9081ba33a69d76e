package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RJJJ returns the specification of the recoverable queue lock that repairs its queue.
func RJJJ() shm.Algorithm {
	return shm.Algorithm{
		Name:  "recoverable/rjjj",
		Title: "Jayanti, Jayanti and Joshi, two processes",
		Source: shm.Source{Author: "Prasad Jayanti, Siddhartha Jayanti, Anup Joshi",
			Title: "A Recoverable Mutex Algorithm with Sub-logarithmic RMR on Both CC and DSM", Venue: "PODC", Year: 2019, Page: "177-186"},
		Reconstructed: true,
		Class:         shm.Swap,
		MaxProcs:      2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "E4",
			LocalSpin:      shm.LocalSpin{CC: true},
			Recovery: &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, FCFS: true, StronglyFCFS: true,
				Reentry: shm.Const(1), Exit: shm.Const(2), References: remote},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1)},
			{Name: "word", Count: shm.Const(2), SingleWriter: true},
		},
	}.Built(shm.Padded, shm.Sequential, buildRJJJ)
}

// RJJJMutex is a queue lock that stores the predecessor of a process one step after the
// process becomes the tail. A crash between the two breaks the queue. The process that comes
// back looks for the fragments, and joins its own to another under a recovery lock.
//
// Source: P. Jayanti, S. Jayanti and A. Joshi, "A Recoverable Mutex Algorithm with
// Sub-logarithmic RMR on Both CC and DSM", PODC 2019, p. 177-186, arXiv 1904.02124. Its
// abstract was read; the lines come from secondary sources and are decided by check.
//
// Registers: tail, a node, written by both processes; word[i], written by process i: the
// number of its passage and its state, which is idle, queueing, crashed, critical, or the
// node before its own. A node is a process and the number of one of its passages. Its process has
// left when word has a greater number or is idle. The recovery lock is RPetersonMutex.
//
// Properties: a process waits until the process of the node before its own has left, so the
// order is that of the swaps. Under crashes a process in the state critical is in its
// critical section. A process that has lost its predecessor waits at line R5 until
// the other process has stored its own. Before, an unbroken queue looks broken. Two
// processes that join fragments at the same time could choose the same end, hence the
// recovery lock.
//
// The doorway is lines E1 to E4.
//
//	recover section of process i, with j = 1-i:
//	R1  (k, state) := word[i]; if state = idle, go to the entry section
//	    if state = critical, process i is in its critical section
//	R2  if state = queueing, word[i] := (k, crashed)
//	R3  acquire the recovery lock
//	    if state is queueing or crashed, x := (i, k)
//	R4      t := tail
//	R5      wait until word[j] has a state other than queueing, or another number;
//	        c := the node of j, q := its state, which is idle in the case of another number
//	        if t ≠ x, and not (q = x and t = c), and not (q = crashed and t = c)
//	R6          p := tail and tail := x in one step, or tail := c if q = x
//	        otherwise if q is idle, crashed or x, p := a node that was left
//	        otherwise p := c
//	R7      word[i] := (k, p)
//	R8  release the recovery lock
//	entry section:
//	E1  (k, state) := word[i]; if state = idle
//	E2      k := k+1; word[i] := (k, queueing)
//	E3      p := tail and tail := (i, k) in one step
//	E4      word[i] := (k, p)
//	E5  wait until the process of node p has left
//	E6  word[i] := (k, critical)
//	exit section:
//	X1  (k, state) := word[i]
//	X2  word[i] := (k, idle)
//
// Deviations: the paper has n processes, a new node for each passage, and words that say in
// the memory of a process what it waits for. This lock has two processes, and a word for
// each that has all fields of its node. The number of passages must not exceed 2^31.
type RJJJMutex struct {
	_    shm.NoCopy
	tail *register.Uint64
	word [2]*register.Uint64
	// repairs is held while fragments are joined.
	repairs *RPetersonMutex
}

// The states of a process. The others are a node and the constant before.
const (
	idle = iota
	queueing
	crashed
	critical
	before
)

// state returns the state in a word.
func state(word uint64) uint64 { return word & (1<<32 - 1) }

// passage returns the number in a word, in its place.
func passage(word uint64) uint64 { return word >> 32 << 32 }

// node is the node of process i in a passage: the number of the passage and a bit.
func node(word uint64, i int) uint64 { return word>>32<<1 | uint64(i) }

// NewRJJJ returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewRJJJ(n int) (*RJJJMutex, error) { return shm.New[*RJJJMutex](RJJJ(), n) }

func buildRJJJ(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint64](3, b.Layout)
	return &RJJJMutex{tail: r.At(0), word: [2]*register.Uint64{r.At(1), r.At(2)}, repairs: buildRPeterson(b).(*RPetersonMutex)}
}

// Recover finds out where process i crashed.
func (l *RJJJMutex) Recover(i int) shm.Outcome {
	w := l.word[i].Load() // R1
	k := passage(w)
	switch state(w) {
	case idle:
		return shm.Enter
	case critical:
		return shm.Inside
	case queueing:
		l.word[i].Store(k | crashed) // R2
	}
	if l.repairs.Recover(i) == shm.Enter { // R3
		l.repairs.Lock(i)
	}
	if state(w) == queueing || state(w) == crashed {
		l.word[i].Store(k | (before + l.join(1-i, node(w, i)))) // R7
	}
	l.repairs.Unlock(i) // R8
	return shm.Enter
}

// join joins the fragment of node x to another one, and returns the node that is then before
// it. Process j is the other one.
func (l *RJJJMutex) join(j int, x uint64) (p uint64) {
	t := l.tail.Load()                  // R4
	w, q := l.word[j].Load(), uint64(0) // R5
	spin.Until(func() bool {            // R5
		q = l.word[j].Load()
		return passage(q) != passage(w) || state(q) != queueing
	})
	if passage(q) != passage(w) {
		q = idle
	}
	c, q := node(w, j), state(q)
	behind := q == before+x
	switch {
	case t != x && !(t == c && (behind || q == crashed)):
		if behind {
			return l.tail.Swap(c) // R6
		}
		return l.tail.Swap(x) // R6
	case behind || q == idle || q == crashed:
		return 0 // the node of process 0 before its first passage
	}
	return c
}

// Lock acquires the lock for process i.
func (l *RJJJMutex) Lock(i int) {
	w := l.word[i].Load() // E1
	k, p := passage(w), state(w)-before
	if state(w) == idle {
		k += 1 << 32
		l.word[i].Store(k | queueing)     // E2
		p = l.tail.Swap(node(k, i))       // E3
		l.word[i].Store(k | (before + p)) // E4
	}
	spin.Until(func() bool { return l.left(p) }) // E5
	l.word[i].Store(k | critical)                // E6
}

// left reports whether the process of a node has left.
func (l *RJJJMutex) left(p uint64) bool {
	w := l.word[p&1].Load() // E5
	return w>>32 > p>>1 || state(w) == idle
}

// Unlock releases the lock for process i. The state idle is 0.
func (l *RJJJMutex) Unlock(i int) {
	w := l.word[i].Load()       // X1
	l.word[i].Store(passage(w)) // X2
}
