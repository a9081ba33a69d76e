package mutants

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/spin"
)

var peterson1981 = peterson.Peterson(shm.Packed, shm.Sequential)

var petersons = []Mutant{
	mutate(peterson1981, "peterson-turn-other", "turn is set the wrong way round, so that a process lets itself in", Safety, 2,
		func(int) shm.Mutex { return new(petersonTurnOther) }),
	mutate(peterson1981, "peterson-turn-first", "turn is written before the own q", Safety, 2,
		func(int) shm.Mutex { return new(petersonTurnFirst) }),
	mutate(peterson1981, "peterson-never-lowers", "the exit section leaves q up", Deadlock, 2,
		func(int) shm.Mutex { return new(petersonNeverLowers) }),
	mutate(peterson1981, "peterson-flags-only", "there is no turn", Deadlock, 2,
		func(int) shm.Mutex { return new(petersonFlagsOnly) }).with(peterson1981.Space[:1]),
	mutate(peterson1981, "peterson-turn-only", "there is no q", Deadlock, 1,
		func(int) shm.Mutex { return new(petersonTurnOnly) }).with(peterson1981.Space[1:]),
	mutate(peterson1981, "peterson-turn-read-first", "the wait reads turn before the other's q", Equivalent, 2,
		func(int) shm.Mutex { return new(petersonTurnReadFirst) }),
}

// petersonBase is Peterson's two-process lock in pieces:
//
//	entry section of process i:
//	1  q[i] := true
//	2  turn := i
//	3  wait until not q[1-i] or turn = 1-i
//	exit section:
//	4  q[i] := false
type petersonBase struct {
	q    [2]atomic.Bool
	turn atomic.Uint32
}

// await is line 3.
func (l *petersonBase) await(i int) {
	other := 1 - i
	spin.Until(func() bool { return !l.q[other].Load() || l.turn.Load() == uint32(other) })
}

func (l *petersonBase) Unlock(i int) {
	l.q[i].Store(false) // 4
}

type petersonTurnOther struct{ petersonBase }

func (l *petersonTurnOther) Lock(i int) {
	l.q[i].Store(true)          // 1
	l.turn.Store(uint32(1 - i)) // 2
	l.await(i)                  // 3
}

type petersonTurnFirst struct{ petersonBase }

func (l *petersonTurnFirst) Lock(i int) {
	l.turn.Store(uint32(i)) // 2
	l.q[i].Store(true)      // 1
	l.await(i)              // 3
}

type petersonNeverLowers struct{ petersonBase }

func (l *petersonNeverLowers) Lock(i int) {
	l.q[i].Store(true)      // 1
	l.turn.Store(uint32(i)) // 2
	l.await(i)              // 3
}

func (l *petersonNeverLowers) Unlock(int) {}

type petersonFlagsOnly struct{ q [2]atomic.Bool }

func (l *petersonFlagsOnly) Lock(i int) {
	l.q[i].Store(true)                                  // 1
	spin.Until(func() bool { return !l.q[1-i].Load() }) // 3
}

func (l *petersonFlagsOnly) Unlock(i int) { l.q[i].Store(false) } // 4

type petersonTurnOnly struct{ turn atomic.Uint32 }

func (l *petersonTurnOnly) Lock(i int) {
	l.turn.Store(uint32(i))                                         // 2
	spin.Until(func() bool { return l.turn.Load() == uint32(1-i) }) // 3
}

func (l *petersonTurnOnly) Unlock(int) {}

type petersonTurnReadFirst struct{ petersonBase }

func (l *petersonTurnReadFirst) Lock(i int) {
	l.q[i].Store(true)                                                                  // 1
	l.turn.Store(uint32(i))                                                             // 2
	spin.Until(func() bool { return l.turn.Load() == uint32(1-i) || !l.q[1-i].Load() }) // 3
}
