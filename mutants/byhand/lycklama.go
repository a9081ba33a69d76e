package byhand

import (
	"sync/atomic"

	"shmbench/fcfs"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	lycklamaBits = fcfs.LycklamaHadzilacos(shm.Packed)
	lycklamaWord = fcfs.LycklamaBuhr(shm.Packed, shm.Sequential)
)

var lycklamas = []Mutant{
	mutate(lycklamaBits, "lycklamahadzilacos-one-bit", "a turn has one bit: two passages later it is what it was, and who copied it waits for the third, which waits for it", Deadlock, 2,
		func(n int) shm.Mutex { return &lycklamaOneBit{newLycklama(n)} }).with(lycklamaBit),
	// Read between the two writes, the turn is that of another passage.
	mutate(lycklamaBits, "lycklamahadzilacos-counts", "a turn is counted in two bits, of which a passage may write both", Deadlock, 2,
		func(n int) shm.Mutex { return &lycklamaCounts{newLycklama(n), make([][2]atomic.Bool, n)} }).with(lycklamaCounter).
		outOfReach("a turn must be read between its two writes, and then be the one of the next passage but one"),
	mutate(lycklamaWord, "lycklamabuhr-no-doorway", "nobody shows that it is in its doorway", Deadlock, 2,
		func(n int) shm.Mutex { return &lycklamaNoDoorway{newLycklama(n)} }).with(lycklamaWord.Space[1:]),
	mutate(lycklamaWord, "lycklamabuhr-v-after-doorway", "who comes shows that it waits when its doorway is over", Deadlock, 2,
		func(n int) shm.Mutex { return &lycklamaVAfterDoorway{newLycklama(n)} }),
	mutate(lycklamaWord, "lycklamabuhr-turn-after-v", "the turn changes when v is up, which c hides", Equivalent, 2,
		func(n int) shm.Mutex { return &lycklamaTurnAfterV{newLycklama(n)} }),
	mutate(lycklamaWord, "lycklamabuhr-turn-first", "the turn changes before those of the others are copied: two processes copy one another's new turns", Deadlock, 2,
		func(n int) shm.Mutex { return &lycklamaTurnFirst{newLycklama(n)} }),
	mutate(lycklamaWord, "lycklamabuhr-keeps-v", "the exit section leaves v up", Deadlock, 2,
		func(n int) shm.Mutex { return &lycklamaKeepsV{newLycklama(n)} }),
	mutate(lycklamaWord, "lycklamabuhr-no-inner", "who has waited enters, with all that came at the same time", Safety, 2,
		func(n int) shm.Mutex { return &lycklamaNoInner{newLycklama(n)} }).with(lycklamaWord.Space[:3]),
}

// lycklamaBit are the registers with a single bit as turn.
var lycklamaBit = shm.Space{
	lycklamaBits.Space[0], lycklamaBits.Space[1],
	{Name: "turn", Count: shm.N, Values: shm.Const(2), SingleWriter: true},
	lycklamaBits.Space[3],
}

// lycklamaCounter are the registers with the turn in bits.
var lycklamaCounter = shm.Space{
	lycklamaBits.Space[0], lycklamaBits.Space[1],
	{Name: "bits", Count: lycklamaBits.Space[2].Count, Values: shm.Const(2), SingleWriter: true},
	lycklamaBits.Space[3],
}

// lycklamaBase is the lock in Buhr's form in pieces:
//
//	entry section of process i:
//	1  c[i] := true
//	2  for each j but i: S[j] := turn[j]
//	3  turn[i] := (turn[i] + 1) mod 3
//	4  v[i] := true
//	5  c[i] := false
//	6  for each j but i: wait until not c[j] and (not v[j] or turn[j] ≠ S[j])
//	7  enter Burns and Lynch's lock
//	exit section:
//	8  leave Burns and Lynch's lock
//	9  v[i] := false
type lycklamaBase struct {
	c, v  []atomic.Bool
	turn  []atomic.Uint32
	S     [][]uint32
	inner shm.Mutex
}

func newLycklama(n int) lycklamaBase {
	return lycklamaBase{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Uint32, n), square[uint32](n), innerLock(n)}
}

func (l *lycklamaBase) copyTurns(i int) {
	for j := range l.turn { // 2
		l.S[i][j] = l.turn[j].Load()
	}
}

func (l *lycklamaBase) advance(i int, modulus uint32) {
	l.turn[i].Store((l.turn[i].Load() + 1) % modulus) // 3
}

func (l *lycklamaBase) await(i int) {
	for j := range l.turn { // 6
		if j != i {
			spin.Until(func() bool {
				return !l.c[j].Load() && (!l.v[j].Load() || l.turn[j].Load() != l.S[i][j])
			})
		}
	}
}

func (l *lycklamaBase) lock(i int, modulus uint32) {
	l.c[i].Store(true) // 1
	l.copyTurns(i)
	l.advance(i, modulus)
	l.v[i].Store(true)  // 4
	l.c[i].Store(false) // 5
	l.await(i)
	l.inner.Lock(i) // 7
}

func (l *lycklamaBase) Unlock(i int) {
	l.inner.Unlock(i)   // 8
	l.v[i].Store(false) // 9
}

type lycklamaOneBit struct{ lycklamaBase }

func (l *lycklamaOneBit) Lock(i int) { l.lock(i, 2) }

type lycklamaKeepsV struct{ lycklamaBase }

func (l *lycklamaKeepsV) Lock(i int) { l.lock(i, 3) }

func (l *lycklamaKeepsV) Unlock(i int) {
	l.inner.Unlock(i) // 8
}

type lycklamaNoDoorway struct{ lycklamaBase }

func (l *lycklamaNoDoorway) Lock(i int) {
	l.copyTurns(i)
	l.advance(i, 3)
	l.v[i].Store(true)      // 4
	for j := range l.turn { // 6
		if j != i {
			spin.Until(func() bool { return !l.v[j].Load() || l.turn[j].Load() != l.S[i][j] })
		}
	}
	l.inner.Lock(i) // 7
}

type lycklamaVAfterDoorway struct{ lycklamaBase }

func (l *lycklamaVAfterDoorway) Lock(i int) {
	l.c[i].Store(true) // 1
	l.copyTurns(i)
	l.advance(i, 3)
	l.c[i].Store(false) // 5
	l.v[i].Store(true)  // 4
	l.await(i)
	l.inner.Lock(i) // 7
}

type lycklamaTurnAfterV struct{ lycklamaBase }

func (l *lycklamaTurnAfterV) Lock(i int) {
	l.c[i].Store(true) // 1
	l.copyTurns(i)
	l.v[i].Store(true) // 4
	l.advance(i, 3)
	l.c[i].Store(false) // 5
	l.await(i)
	l.inner.Lock(i) // 7
}

type lycklamaTurnFirst struct{ lycklamaBase }

func (l *lycklamaTurnFirst) Lock(i int) {
	l.c[i].Store(true) // 1
	l.advance(i, 3)
	l.copyTurns(i)
	l.v[i].Store(true)  // 4
	l.c[i].Store(false) // 5
	l.await(i)
	l.inner.Lock(i) // 7
}

type lycklamaNoInner struct{ lycklamaBase }

func (l *lycklamaNoInner) Lock(i int) {
	l.c[i].Store(true) // 1
	l.copyTurns(i)
	l.advance(i, 3)
	l.v[i].Store(true)  // 4
	l.c[i].Store(false) // 5
	l.await(i)
}

func (l *lycklamaNoInner) Unlock(i int) {
	l.v[i].Store(false) // 9
}

type lycklamaCounts struct {
	lycklamaBase
	bits [][2]atomic.Bool
}

// read is turn[j].
func (l *lycklamaCounts) read(j int) (turn uint32) {
	for b := range l.bits[j] {
		if l.bits[j][b].Load() {
			turn |= 1 << b
		}
	}
	return turn
}

func (l *lycklamaCounts) Lock(i int) {
	l.c[i].Store(true)      // 1
	for j := range l.bits { // 2
		if j != i {
			l.S[i][j] = l.read(j)
		}
	}
	l.S[i][i] = (l.S[i][i] + 1) % 4 // 3
	for b := range l.bits[i] {
		l.bits[i][b].Store(l.S[i][i]>>b&1 != 0) // 3
	}
	l.v[i].Store(true)      // 4
	l.c[i].Store(false)     // 5
	for j := range l.bits { // 6
		if j != i {
			spin.Until(func() bool { return !l.c[j].Load() && (!l.v[j].Load() || l.read(j) != l.S[i][j]) })
		}
	}
	l.inner.Lock(i) // 7
}
