package bakery

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Bounded returns the specification of the bounded bakery for a layout of its registers and
// for its stores.
func Bounded(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:          "bakery/bounded",
		Title:         "Bounded bakery",
		Reconstructed: true,
		Source: shm.Source{
			Author: "Prasad Jayanti, King Tan, Gregory Friedland and Amir Katz",
			Title:  "Bounding Lamport's Bakery Algorithm",
			Venue:  "SOFSEM 2001: Theory and Practice of Informatics, LNCS 2234",
			Year:   2001,
			Page:   "261-270",
		},
		Class: shm.ReadWrite,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "5",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic},
		},
		Space: shm.Space{
			{Name: "x", Count: shm.Const(1), Values: shm.Formula{Text: "2n-1", At: modulus}},
			{Name: "getting", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "token", Count: shm.N, Values: shm.Formula{Text: "2n", At: func(n int) int { return modulus(n) + 1 }}, SingleWriter: true},
		},
	}.Built(layout, stores, buildBounded)
}

// modulus is the number of tokens.
func modulus(n int) int { return 2*n - 1 }

// BoundedMutex is the bakery with tokens that repeat: 2n-1 of them are enough to tell which of
// two comes first, because those in use are less than n apart.
//
// Source: Prasad Jayanti, King Tan, Gregory Friedland and Amir Katz, "Bounding
// Lamport's Bakery Algorithm", SOFSEM 2001, LNCS 2234, p. 261-270. Of the paper
// only the abstract was read: that the numbers are taken modulo 2n-1, with one
// more register, is from memory, and the rest was found by checking.
//
// Registers: getting[i], a boolean, and token[i], one of 1..2n-1 or 0 for none,
// both written by process i only and read by all; x, the token of the process that
// left last, at first 1, written by the process in its critical section and read
// by all.
//
// Properties: mutual exclusion as in the bakery. All processes that arrived later saw a
// process that has a token, and x follows the tokens. So the tokens in use are among the n
// tokens after x. The cyclic distance from one to another is less than n if the other is
// later. It is n or more if the other is earlier. First-come-first-served as in the bakery,
// so the bypass is n-1 and no process starves. On registers that are not atomic a read may
// return a token that no process has.
//
// The doorway is lines 1 to 5.
//
//	entry section of process i, where dist(a, b) = (b - a) mod (2n-1):
//	1  getting[i] := true
//	2  seen[j] := token[j] for all j
//	3  far := the largest dist(x, seen[j]) that is less than n, 0 if there is none
//	4  token[i] := the one that comes far + 1 after x
//	5  getting[i] := false
//	6  for j := 0 to n-1, except i:
//	7      wait until getting[j] = false
//	8      wait until token[j] = 0, or token[j] = token[i] and i < j,
//	           or token[j] is not token[i] and dist(token[i], token[j]) < n
//	exit section:
//	9  x := token[i]
//	10 token[i] := 0
//
// x must be read after the tokens: in the other order three processes lose exclusion.
//
// Released stores: line 4, which line 5, with its fence, takes to memory before
// anything is read again; lines 9 and 10, which leave the critical section, in
// this order, and are in memory before the fence of the next line 1.
type BoundedMutex struct {
	_        shm.NoCopy
	released bool
	n        uint32
	modulus  uint32
	seen     []shm.Array[uint32] // seen[i] is private to process i; its own token is in seen[i][i]
	x        *register.Uint32
	getting  shm.Array[atomic.Bool]
	token    shm.Array[register.Uint32]
}

// NewBounded returns a bounded bakery for n processes, or a *shm.ProcsError.
func NewBounded(n int, layout shm.Layout, stores shm.Stores) (*BoundedMutex, error) {
	return shm.New[*BoundedMutex](Bounded(layout, stores), n)
}

func buildBounded(b shm.Build) shm.Mutex {
	x := shm.NewArray[register.Uint32](1, b.Layout)
	l := &BoundedMutex{
		released: b.Released,
		n:        uint32(b.N),
		modulus:  uint32(modulus(b.N)),
		seen:     make([]shm.Array[uint32], b.N),
		x:        x.At(0),
		getting:  shm.NewArray[atomic.Bool](b.N, b.Layout),
		token:    shm.NewArray[register.Uint32](b.N, b.Layout),
	}
	l.x.Store(1)
	for i := range b.N {
		l.seen[i] = shm.NewArray[uint32](b.N, shm.Packed)
	}
	return l
}

// Lock acquires the lock for process i.
func (l *BoundedMutex) Lock(i int) {
	l.getting.At(i).Store(true)                    // 1
	mine := l.next(i)                              // 2, 3
	l.token.At(i).StoreReleaseIf(l.released, mine) // 4
	l.getting.At(i).Store(false)                   // 5
	for j := range int(l.n) {                      // 6
		if j == i {
			continue
		}
		spin.Until(func() bool { return !l.getting.At(j).Load() }) // 7
		spin.Until(func() bool {                                   // 8
			token := l.token.At(j).Load()
			return token == 0 || token == mine && i < j || token != mine && l.dist(mine, token) < l.n
		})
	}
	*l.seen[i].At(i) = mine
}

// Unlock releases the lock for process i.
func (l *BoundedMutex) Unlock(i int) {
	l.x.StoreReleaseIf(l.released, *l.seen[i].At(i)) // 9
	l.token.At(i).StoreReleaseIf(l.released, 0)      // 10
}

// next returns the token that process i takes.
func (l *BoundedMutex) next(i int) uint32 {
	seen := &l.seen[i]
	for j := range seen.Len() {
		if j != i {
			*seen.At(j) = l.token.At(j).Load() // 2
		}
	}
	x, far := l.x.Load(), uint32(0) // 3
	for j := range seen.Len() {
		if j == i || *seen.At(j) == 0 {
			continue
		}
		if d := l.dist(x, *seen.At(j)); d < l.n {
			far = max(far, d)
		}
		*seen.At(j) = 0
	}
	return (x+far)%l.modulus + 1
}

// dist is the cyclic distance from a to b.
func (l *BoundedMutex) dist(a, b uint32) uint32 { return (b + l.modulus - a) % l.modulus }
