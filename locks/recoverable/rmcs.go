package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RMCS returns the specification of Golab and Hendler's lock with double-word operations.
func RMCS() shm.Algorithm {
	return shm.Algorithm{
		Name:  "recoverable/rmcs",
		Title: "Golab and Hendler with double-word operations",
		Source: shm.Source{Author: "Wojciech Golab, Danny Hendler", Title: "Recoverable Mutual Exclusion in Sub-Logarithmic Time",
			Venue: "PODC", Year: 2017, Page: "211-220"},
		Reconstructed: true,
		Class:         shm.CompareAndSwap | shm.FetchAndOr,
		MaxProcs:      12,
		Claims: shm.Claims{
			DeadlockFree: true,
			Recovery:     &shm.Recovery{Reentry: shm.Const(1), Recover: shm.Const(1), References: remote},
		},
		Space: shm.Space{
			{Name: "queue", Count: shm.Const(1), Values: rmcsQueues},
			{Name: "links", Count: shm.Const(1), Values: rmcsLinks},
		},
	}.Built(shm.Padded, shm.Sequential, buildRMCS)
}

// rmcsQueues is the number of queues of at most n processes.
var rmcsQueues = shm.Formula{Text: "sum over k of n!/(n-k)!", At: func(n int) int {
	total, queues := 0, 1
	for k := range n + 1 {
		total, queues = total+queues, queues*(n-k)
	}
	return total
}}

// rmcsLinks is the number of values of links: next makes a forest, the bits are any, and not
// all bits are set in the forest without an edge.
var rmcsLinks = shm.Formula{Text: "2^n (n+1)^(n-1) - 1", At: func(n int) int {
	forests := 1
	for range n - 1 {
		forests *= n + 1
	}
	return forests<<n - 1
}}

// RMCSMutex is the MCS queue with links in both directions. The link to the predecessor is
// stored in the same step in which the process becomes the tail.
//
// Source: Wojciech Golab and Danny Hendler, "Recoverable Mutual Exclusion in Sub-Logarithmic
// Time", PODC 2017, p. 211-220, whose abstract was read. The pseudo-code is that of a
// program which cites the paper: lnnn1982/pmwcas, src/benchmarks/RecoverMutex.cc.
//
// Registers: queue, a word that has tail, a process or none, and for each process prev[i]:
// i itself if process i is not queued, none if it has the lock, and else its predecessor;
// links, a word that has next[i], a process or none, and linked[i], a bit. All write both.
//
// Properties: processes enter in the order in which they became the tail. A process can fail
// to become the tail forever, so it can starve. Under crashes prev[i] says whether process i
// is not queued, waits or has the lock. The bit linked[i] keeps a process from linking twice
// to a predecessor that has left and queued again.
//
// There is no doorway: line E3 is a loop.
//
//	recover section of process i:
//	R1  if prev[i] = none, process i is in its critical section
//	entry section:
//	E1  p := prev[i]; if p = i
//	E2      next[i] := none and linked[i] := false in one step
//	E3      p := tail, prev[i] := p and tail := i in one step
//	E4  if p ≠ none
//	E5      if next[p] = none and linked[i] = false, next[p] := i and linked[i] := true in one step
//	E6      wait until prev[i] = none
//	exit section:
//	X1  if tail = i, tail := none and prev[i] := i in one step, and finish
//	X2  wait until next[i] ≠ none; s := next[i]
//	X3  prev[s] := none and prev[i] := i in one step
//
// Deviations: no machine has operations on two words in one step. So tail and prev are fields
// of four bits in one word, and next and linked are fields of five bits in another. Lines E3,
// E5, X1 and X3 are loops with compare-and-swap, and there are at most 12 processes. The loop
// at line E3 costs first-come-first-served order, starvation freedom and local spinning.
type RMCSMutex struct {
	_     shm.NoCopy
	queue *register.Uint64 // fields with a process and 1: prev[i] in field i, and tail
	links *register.Uint64 // next[i], with 1 added, and linked[i]
}

// The fields of the word links.
const (
	linkBits = 5
	linked   = 1 << (linkBits - 1)
)

// NewRMCS returns the lock for n processes, or a *shm.ProcsError.
func NewRMCS(n int) (*RMCSMutex, error) { return shm.New[*RMCSMutex](RMCS(), n) }

func buildRMCS(b shm.Build) shm.Mutex {
	words := shm.NewArray[register.Uint64](2, b.Layout)
	l := &RMCSMutex{queue: words.At(0), links: words.At(1)}
	q := uint64(0)
	for i := range b.N {
		q |= uint64(i+1) << (fieldBits * i)
	}
	l.queue.Store(q)
	return l
}

// prev returns prev[i], with 1 added.
func (l *RMCSMutex) prev(i int) int { return int(field(l.queue.Load(), fieldBits*i)) }

// Recover finds out where process i crashed.
func (l *RMCSMutex) Recover(i int) shm.Outcome {
	if l.prev(i) == 0 { // R1
		return shm.Inside
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RMCSMutex) Lock(i int) {
	p := l.prev(i) // E1
	if p == i+1 {
		l.links.And(^(uint64(1<<linkBits-1) << (linkBits * i))) // E2
		p = l.enqueue(i)                                        // E3
	}
	if p == 0 { // E4
		return
	}
	l.link(p-1, i)                                    // E5
	spin.Until(func() bool { return l.prev(i) == 0 }) // E6
}

// enqueue makes process i the tail, and prev[i] the old tail.
func (l *RMCSMutex) enqueue(i int) (pred int) {
	for {
		q := l.queue.Load() // E3
		pred := field(q, tailField)
		to := set(set(q, fieldBits*i, pred), tailField, uint32(i)+1)
		if l.queue.CompareAndSwap(q, to) { // E3
			return int(pred)
		}
		spin.Pause()
	}
}

// set replaces a field of a word.
func set(word uint64, place int, value uint32) uint64 {
	return word&^(fieldMask<<place) | uint64(value)<<place
}

// link makes process i the successor of process p, unless p has one or i was linked.
func (l *RMCSMutex) link(p, i int) {
	for {
		k := l.links.Load() // E5
		if field(k, linkBits*p) != 0 || k>>(linkBits*i)&linked != 0 {
			return
		}
		if l.links.CompareAndSwap(k, set(k, linkBits*p, uint32(i)+1)|linked<<(linkBits*i)) { // E5
			return
		}
		spin.Pause()
	}
}

// Unlock releases the lock for process i.
func (l *RMCSMutex) Unlock(i int) {
	me := uint32(i) + 1
	for q := l.queue.Load(); field(q, tailField) == me; q = l.queue.Load() { // X1
		if l.queue.CompareAndSwap(q, set(set(q, tailField, 0), fieldBits*i, me)) { // X1
			return
		}
		spin.Pause()
	}
	s := 0
	spin.Until(func() bool { // X2
		s = int(field(l.links.Load(), linkBits*i)) - 1
		return s >= 0
	})
	for { // X3
		q := l.queue.Load()
		if l.queue.CompareAndSwap(q, set(set(q, fieldBits*s, 0), fieldBits*i, me)) { // X3
			return
		}
		spin.Pause()
	}
}
