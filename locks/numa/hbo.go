package numa

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var nonuniform = shm.Source{
	Author: "Zoran Radovic and Erik Hagersten",
	Title:  "Hierarchical Backoff Locks for Nonuniform Communication Architectures",
	Venue:  "HPCA",
	Year:   2003,
	Page:   "241-252",
}

// HBO makes the hierarchical backoff lock for processes on some nodes.
type HBO struct{ Nodes Nodes }

// Spec returns the specification of the lock for its stores.
func (h HBO) Spec(stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:          "numa/hbo",
		Title:         "HBO, hierarchical backoff lock",
		Source:        nonuniform,
		Simplified:    "the value that the paper's compare-and-swap returns, and the throttling of its other two locks",
		Reconstructed: true,
		Class:         shm.CompareAndSwap,
		Claims:        shm.Claims{DeadlockFree: true},
		Space: shm.Space{{Name: "word", Count: shm.Const(1), Values: shm.Formula{Text: "nodes+1", At: func(n int) int {
			return h.Nodes.count(n) + 1
		}}}},
		Invariants: []shm.Invariant{hboInvariant},
	}.Built(shm.Padded, stores, h.build)
}

// A backoff is the least and the most pauses after a lost contest.
type backoff struct{ least, most int }

// near is the backoff while the holder is on the process's own node, and far is the backoff
// while the holder is on another node.
var (
	near = backoff{1, 64}
	far  = backoff{16, 1024}
)

// HBOMutex is the hierarchical backoff lock. The lock word names the node of the holder. A
// process that finds another node there waits longer between two tries, so that processes on
// the holder's node usually win.
//
// Source: Zoran Radovic and Erik Hagersten, "Hierarchical Backoff Locks for Nonuniform
// Communication Architectures", HPCA 2003, p. 241-252: the first of its three locks. This lock
// is reconstructed from secondary sources.
//
// Registers: word, free or the number of a node, written by all.
//
// Properties: mutual exclusion and deadlock freedom, as in test-and-set. A process can starve,
// and more easily if the holder is on another node.
//
// There is no doorway.
//
//	entry section of process i of node c:
//	1  if compare-and-swap(word, free, c) succeeds then enter
//	2  t := word
//	3  if t is c then pause near times, else far times, and twice as long the next time, up to a bound
//	4  goto 1
//	exit section:
//	5  word := free
//
// Released stores: line 5, which no access of the critical section can follow. If other
// processes see this store late, they only wait longer.
//
// Deviations: the paper's compare-and-swap returns the value that it found, and Go's does not.
// So line 2 reads the word again, and may find another node there, or a free lock. The paper
// chooses the lengths of the pauses for its machine. Here the shorter pauses are those of the
// backoff lock in package tas, and the longer ones are sixteen times as long.
type HBOMutex struct {
	_        shm.NoCopy
	released bool
	mark     []uint32 // by process: the number of its node, from 1 on
	_        shm.Pad
	word     register.Uint32
	_        shm.Pad
}

const free = 0

// New returns the lock for n processes, or a *shm.ProcsError.
func (h HBO) New(n int, stores shm.Stores) (*HBOMutex, error) {
	return shm.New[*HBOMutex](h.Spec(stores), n)
}

func (h HBO) build(b shm.Build) shm.Mutex {
	l := &HBOMutex{released: b.Released}
	places, _ := h.Nodes.places(b.N)
	for _, at := range places {
		l.mark = append(l.mark, uint32(at.node+1))
	}
	return l
}

// Lock acquires the lock for process i.
func (l *HBOMutex) Lock(i int) {
	c := l.mark[i]
	nearby, away := near.least, far.least
	for !l.word.CompareAndSwap(free, c) { // 1
		if l.word.Load() == c { // 2
			nearby = near.pause(nearby) // 3
		} else {
			away = far.pause(away) // 3
		}
	}
}

// pause pauses the given number of times, and returns the number for the next time.
func (b backoff) pause(times int) int {
	for range times {
		spin.Pause()
	}
	return min(2*times, b.most)
}

// Unlock releases the lock for any process.
func (l *HBOMutex) Unlock(int) {
	l.word.StoreReleaseIf(l.released, free) // 5
}

// hboInvariant: the word is free if and only if no process is in its critical section.
var hboInvariant = shm.Invariant{Name: "word", Source: nonuniform, Holds: func(v shm.View) error {
	if word, inside := v.Int("word"), shm.In(v, shm.Critical); (word != free) != (inside > 0) {
		return fmt.Errorf("word = %d, processes in their critical sections: %d", word, inside)
	}
	return nil
}}
