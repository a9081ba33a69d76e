package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

var lycklamaHadzilacos = shm.Source{
	Author: "Edward A. Lycklama and Vassos Hadzilacos",
	Title:  "A First-Come-First-Served Mutual-Exclusion Algorithm with Small Communication Variables",
	Venue:  "ACM Transactions on Programming Languages and Systems 13(4)",
	Year:   1991,
	Page:   "558-576",
}

// LycklamaHadzilacos returns the specification of Lycklama and Hadzilacos's lock over the
// one-bit lock, as published, in the given layout. It has no variant with release stores:
// for three processes that variant has too many states to be checked with the others.
func LycklamaHadzilacos(layout shm.Layout) shm.Algorithm {
	return over(burns.OneBit(layout, shm.Sequential), shm.Algorithm{
		Name:   "fcfs/lycklamahadzilacos",
		Title:  "Lycklama and Hadzilacos's lock of five bits a process",
		Source: lycklamaHadzilacos,
		Claims: served("5", shm.Weakest{Exclusion: shm.Safe, DeadlockFree: shm.Safe, StarvationFree: shm.Safe}),
		Space: shm.Space{
			{Name: "c", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "v", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
			{Name: "turn", Count: times(2, "2n"), Values: shm.Const(2), SingleWriter: true},
		},
	}, layout, shm.Sequential, buildLycklamaHadzilacos)
}

// LycklamaHadzilacosMutex is a wrapper in which an arriving process changes its turn. The
// process waits for the processes that it saw waiting until they have left or arrived again.
//
// Source: Edward A. Lycklama, Vassos Hadzilacos, "A First-Come-First-Served
// Mutual-Exclusion Algorithm with Small Communication Variables", ACM TOPLAS 13(4),
// 1991, p. 558-576, figure 4 (p. 569). The inner lock is Burns and Lamport's lock of one bit,
// burns.OneBit, as in Lycklama.c of github.com/pabuhr/concurrent-locking.
//
// Registers: c[i] and v[i], bits, and turn[i], two bits, all written by process i
// and read by the others; and those of the inner lock.
//
// Properties: first-come-first-served, because a process that arrives after process i has ended
// its doorway finds v[i] set, and copies i's turn. Process i keeps this turn until it has left.
// No deadlock outside the inner lock: once process j has copied turn[i], process i begins at
// most two passages before one of them waits on line 6 for j. The reason is c[j] for the first,
// and v[j] for the second. Then i has another turn than the copy. So no process starves, and
// mutual exclusion is that of the inner lock. The turn changes one bit in a passage, so a read
// during the write returns the turn before or after it. The paper claims that all of this holds
// on safe registers, and the checker confirms it for two and three processes.
//
// The doorway is lines 1 to 5.
//
//	entry section of process i:
//	1  c[i] := true
//	2  for each j but i: S[j] := turn[j]
//	3  bit := 1 - bit; turn[i][bit] := not turn[i][bit]
//	4  v[i] := true
//	5  c[i] := false
//	6  for each j but i: wait until not c[j] and (not v[j] or turn[j] ≠ S[j])
//	7  enter the inner lock
//	exit section:
//	8  leave the inner lock
//	9  v[i] := false
//
// Released stores, in Buhr's form: lines 3 and 4, which line 5, with its fence, takes
// to memory before anything is read again; line 9: if others see it late, they see
// the exit late. Line 1 stands before a look at others, and the doorway has ended
// for all when line 5 is in memory.
//
// Deviations: process i keeps a copy of turn[i], and does not read it back. The
// constructor takes any inner lock. The suite's header FCFS_LH.h, which also takes any,
// is run there over Burns and Lynch's. A study with timed automata is "Formal Modeling
// and Verification of Lycklama and Hadzilacos's Mutual Exclusion Algorithm", Mathematics
// 12(16), 2024. It reports a deadlock with memory that is not atomic. There is none
// here; there is one in Buhr's form, LycklamaBuhr.
type LycklamaHadzilacosMutex struct {
	_        shm.NoCopy
	released bool
	word     bool // Buhr's form
	n        int
	c, v     shm.Array[register.Bool]
	turn     shm.Array[[2]register.Uint32] // of a word only the first
	private  shm.Array[lycklamaPrivate]    // private[i] is used by process i only
	S        []shm.Array[uint32]           // and so is S[i]
	inner    shm.Mutex
}

type lycklamaPrivate struct{ bit, turn uint32 }

// NewLycklamaHadzilacos returns the wrapper for n processes over the lock that inner
// builds. It returns inner's error, or a *shm.ProcsError.
func NewLycklamaHadzilacos(n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error)) (*LycklamaHadzilacosMutex, error) {
	return newOver[*LycklamaHadzilacosMutex]("fcfs/lycklamahadzilacos", n, layout, stores, inner, buildLycklamaHadzilacos)
}

func buildLycklamaHadzilacos(b shm.Build, inner shm.Mutex) shm.Mutex {
	return &LycklamaHadzilacosMutex{
		released: b.Released,
		n:        b.N,
		c:        shm.NewArray[register.Bool](b.N, b.Layout),
		v:        shm.NewArray[register.Bool](b.N, b.Layout),
		turn:     shm.NewArray[[2]register.Uint32](b.N, b.Layout),
		private:  shm.NewArray[lycklamaPrivate](b.N, shm.Padded),
		S:        private[uint32](b.N),
		inner:    inner,
	}
}

// Lock acquires the lock for process i.
func (l *LycklamaHadzilacosMutex) Lock(i int) {
	l.c.At(i).Store(true) // 1
	for j := range l.n {
		if j != i {
			*l.S[i].At(j) = l.read(j) // 2
		}
	}
	if l.word {
		l.goRound(i) // 3
	} else {
		l.flip(i) // 3
	}
	l.v.At(i).StoreReleaseIf(l.released, true) // 4
	l.c.At(i).Store(false)                     // 5
	for j := range l.n {
		if j != i {
			turn := *l.S[i].At(j)
			spin.Until(func() bool { // 6
				return !l.c.At(j).Load() && (!l.v.At(j).Load() || l.read(j) != turn) // 6
			})
		}
	}
	l.inner.Lock(i) // 7
}

// Unlock releases the lock for process i.
func (l *LycklamaHadzilacosMutex) Unlock(i int) {
	l.inner.Unlock(i)                           // 8
	l.v.At(i).StoreReleaseIf(l.released, false) // 9
}

// read returns turn[j].
func (l *LycklamaHadzilacosMutex) read(j int) uint32 {
	turn := l.turn.At(j)
	if l.word {
		return turn[0].Load() // 2, 6
	}
	return turn[0].Load() + 2*turn[1].Load() // 2, 6
}

// goRound changes turn[i] in Buhr's form.
func (l *LycklamaHadzilacosMutex) goRound(i int) {
	p := l.private.At(i)
	p.turn = (p.turn + 1) % 3
	l.turn.At(i)[0].StoreReleaseIf(l.released, p.turn) // 3
}

// flip changes one bit of turn[i], in turn.
func (l *LycklamaHadzilacosMutex) flip(i int) {
	p := l.private.At(i)
	p.bit = 1 - p.bit
	p.turn ^= 1 << p.bit
	l.turn.At(i)[p.bit].StoreReleaseIf(l.released, p.turn>>p.bit&1) // 3
}
