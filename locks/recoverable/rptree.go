package recoverable

import (
	"math/bits"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RPTree returns the specification of the tree of recoverable two-process locks.
func RPTree() shm.Algorithm {
	return shm.Algorithm{
		Name:   "recoverable/rptree",
		Title:  "Recoverable Peterson tree",
		Source: own("A tree of Peterson's two-process locks with a third value of the flag"),
		Class:  shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.TwoProcs,
			FCFS:           false,
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{DeadlockFree: shm.Regular, StarvationFree: shm.Regular},
			Recovery: &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true,
				Reentry: levels, Recover: levels, Exit: levels, References: remote},
		},
		Space: shm.Space{
			{Name: "flag", Count: leafPlaces, Values: shm.Const(3)},
			{Name: "turn", Count: innerNodes, Values: shm.Const(2)},
		},
	}.Built(shm.Padded, shm.Sequential, buildRPTree)
}

// RPTreeMutex is a complete binary tree with the lock RPetersonMutex at each inner node. A
// process climbs from its leaf to the root.
//
// Source: constructed for this catalog; decided by check. W. Golab and A. Ramaraju,
// "Recoverable mutual exclusion", PODC 2016, build a lock for n processes from reads and
// writes as a tree of recoverable two-process locks; only the abstract was read.
//
// Registers: flag[2v+s], out, wants or inside, of side s of node v, written by the process
// that comes from that side; turn[v], a side, written by both.
//
// Properties: a process that has won a node is the only one of its subtree at the node
// above. So a flag "inside" on its side of that node is its own. The exit section therefore
// lowers the flags from the root down. Under crashes a process climbs again from the first
// node that it does not hold.
//
// There is no doorway: the end of a node's doorway says nothing of the nodes above.
//
//	recover section of process i:
//	R1  if flag[v, side] = inside at all nodes v of its path, process i is in its critical section
//	entry section of process i:
//	E1  for each node v from the leaf of process i to the root, with its side s:
//	E2      if flag[v, s] = inside, go on with the next node
//	E3      flag[v, s] := wants
//	E4      turn[v] := s
//	E5      wait until flag[v, 1-s] = out or turn[v] = 1-s
//	E6      flag[v, s] := inside
//	exit section of process i:
//	X1  for each node v from the root to the leaf of process i, with its side s:
//	X2      flag[v, s] := out
//
// Deviations: none.
type RPTreeMutex struct {
	_      shm.NoCopy
	leaves int
	flag   shm.Array[register.Uint32] // flag[2v+s]
	turn   shm.Array[register.Uint32] // turn[v], v >= 1
}

// NewRPTree returns the lock for n processes, or a *shm.ProcsError.
func NewRPTree(n int) (*RPTreeMutex, error) { return shm.New[*RPTreeMutex](RPTree(), n) }

func buildRPTree(b shm.Build) shm.Mutex {
	k := leaves(b.N)
	return &RPTreeMutex{
		leaves: k,
		flag:   shm.NewArray[register.Uint32](2*k, b.Layout),
		turn:   shm.NewArray[register.Uint32](k, b.Layout),
	}
}

// The tree has a complete level of leaves, so n is rounded up to a power of two.
var (
	leafPlaces = shm.Formula{Text: "2(m-1), m = the least power of 2 that is at least max(n, 2)", At: func(n int) int { return 2 * (leaves(n) - 1) }}
	levels     = shm.Formula{Text: "log2 m, m = the least power of 2 that is at least max(n, 2)", At: func(n int) int { return bits.TrailingZeros(uint(leaves(n))) }}
	innerNodes = shm.Formula{Text: "m-1, m = the least power of 2 that is at least max(n, 2)", At: func(n int) int { return leaves(n) - 1 }}
)

// leaves is the number of leaves of the tree: a power of two, and at least 2.
func leaves(n int) int {
	k := 2
	for k < n {
		k *= 2
	}
	return k
}

// Recover finds out where process i crashed.
func (l *RPTreeMutex) Recover(i int) shm.Outcome {
	for at := l.leaves + i; at > 1; at /= 2 {
		if l.flag.At(at).Load() != inside { // R1
			return shm.Enter
		}
	}
	return shm.Inside
}

// Lock acquires the lock for process i. Place at of the tree is side at%2 of node at/2.
func (l *RPTreeMutex) Lock(i int) {
	for at := l.leaves + i; at > 1; at /= 2 { // E1
		if l.flag.At(at).Load() == inside { // E2
			continue
		}
		me, other := uint32(at%2), uint32(1-at%2)
		l.flag.At(at).Store(wants)  // E3
		l.turn.At(at / 2).Store(me) // E4
		spin.Until(func() bool {    // E5
			return l.flag.At(at^1).Load() == out || l.turn.At(at/2).Load() == other
		})
		l.flag.At(at).Store(inside) // E6
	}
}

// Unlock releases the lock for process i.
func (l *RPTreeMutex) Unlock(i int) {
	leaf := l.leaves + i
	level := 0
	for leaf>>(level+1) > 1 {
		level++
	}
	for ; level >= 0; level-- { // X1
		l.flag.At(leaf >> level).Store(out) // X2
	}
}
