package byhand

import (
	"math/bits"
	"sync/atomic"

	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tournament"
)

var petersonFischerTree = tournament.PetersonFischer(shm.Packed)

var petersonFischerTrees = []Mutant{
	// Who has won the node is at a higher level.
	mutate(petersonFischerTree, "petersonfischertree-same-level", "a process waits for rivals of its own level only", Safety, 3,
		func(n int) shm.Mutex { return &petersonFischerSameLevel{newPetersonFischerTree(n)} }),
	// The other side may be any of its processes.
	mutate(petersonFischerTree, "petersonfischertree-looks-at-one", "of the other side the first process is looked at, and no more", Safety, 3,
		func(n int) shm.Mutex { return &petersonFischerLooksAtOne{newPetersonFischerTree(n)} }),
}

// petersonFischerTreeBase is Peterson and Fischer's tree in pieces:
//
//	entry section of process i:
//	   for k := 1 to ceil(log2 n), side being the side on which i is there,
//	   rival() the first q[j] at level k or above of the processes j on the other side,
//	   or else (0, 0):
//	1      (level, bit) := rival()
//	2      q[i] := (k, bit xor side) if level = k, else (k, 1)
//	3      (level, bit) := rival()
//	4      if level = k then q[i] := (k, bit xor side)
//	5      wait until, for (level, bit) = rival(), level < k,
//	       or level = k and q[i] is not (k, bit xor side)
//	exit section of process i:
//	6  q[i] := (0, 0)
type petersonFischerTreeBase struct {
	tops int
	q    []atomic.Uint32 // twice the level, plus the bit
}

func newPetersonFischerTree(n int) petersonFischerTreeBase {
	return petersonFischerTreeBase{tops: bits.Len(uint(n - 1)), q: make([]atomic.Uint32, n)}
}

// rival looks at the other side of level k, as far as the process end.
func (l *petersonFischerTreeBase) rival(i, k, end int) uint32 {
	for j := (i>>(k-1) ^ 1) << (k - 1); j < min(end, len(l.q)); j++ {
		if q := l.q[j].Load(); q >= uint32(2*k) {
			return q
		}
	}
	return 0
}

// end is one more than the last process of the other side of level k.
func (l *petersonFischerTreeBase) end(i, k int) int { return (i>>(k-1)^1)<<(k-1) + 1<<(k-1) }

// write is lines 1 to 4.
func (l *petersonFischerTreeBase) write(i, k, end int) (q, side uint32) {
	q, side = uint32(2*k)+1, uint32(i>>(k-1))&1
	if rival := l.rival(i, k, end); rival/2 == uint32(k) { // 1
		q = rival ^ side
	}
	l.q[i].Store(q)                                        // 2
	if rival := l.rival(i, k, end); rival/2 == uint32(k) { // 3
		q = rival ^ side
		l.q[i].Store(q) // 4
	}
	return q, side
}

func (l *petersonFischerTreeBase) Unlock(i int) { l.q[i].Store(0) } // 6

type petersonFischerSameLevel struct{ petersonFischerTreeBase }

func (l *petersonFischerSameLevel) Lock(i int) {
	for k := 1; k <= l.tops; k++ {
		end := l.end(i, k)
		q, side := l.write(i, k, end)
		spin.Until(func() bool { return q != l.rival(i, k, end)^side }) // 5
	}
}

type petersonFischerLooksAtOne struct{ petersonFischerTreeBase }

func (l *petersonFischerLooksAtOne) Lock(i int) {
	for k := 1; k <= l.tops; k++ {
		end := (i>>(k-1)^1)<<(k-1) + 1
		q, side := l.write(i, k, end)
		spin.Until(func() bool { // 5
			rival := l.rival(i, k, end)
			return rival/2 < uint32(k) || rival/2 == uint32(k) && q != rival^side
		})
	}
}
