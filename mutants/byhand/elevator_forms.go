package byhand

import (
	"shmbench/elevator"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	flagElevator     = elevator.Flag(shm.Packed, shm.Sequential)
	linearElevatorLF = elevator.LinearLF(shm.Packed, shm.Sequential)
)

// elevatorForms are broken forms of the other turn and of the other trylock.
var elevatorForms = []Mutant{
	// Everybody who leads later finds it nobody's turn.
	mutate(flagElevator, "elevator-flag-nobody-kept", "a leader does not take the flag that says that it is nobody's turn", Safety, 2,
		func(n int) shm.Mutex { return &flagNobodyKept{newFlagElevator(n)} }),
	// It is true still when the process comes again.
	mutate(flagElevator, "elevator-flag-own-kept", "who was called does not take its flag back", Safety, 2,
		func(n int) shm.Mutex { return &flagOwnKept{newFlagElevator(n)} }),
	// The other may have passed line F3, and is yet to write y.
	mutate(linearElevatorLF, "elevator-lf-no-await", "a process that has met another asks who y names without waiting for those that may still write it", Safety, 2,
		func(n int) shm.Mutex { return &elevatorLFNoAwait{newElevatorLF(n)} }).
		outOfReach("two processes must pass line F3 at once, and one stop before line F5; a run meets that in ten seconds"),
	// All others fail, also when nobody leads.
	mutate(linearElevatorLF, "elevator-lf-y-kept", "who has won the trylock leaves its id in y", Deadlock, 1,
		func(n int) shm.Mutex { return &elevatorLFYKept{newElevatorLF(n)} }),
}

// flagElevatorBase is the linear elevator with a flag a process: lines 1, 2, 5, 7 and 8
// are those of elevatorBase.
//
//	3      wait until flag[i] or flag[n]
//	4      flag[n] := false; flag[i] := false
//	6      wait until flag[i]; flag[i] := false
//	9  flag[k] := true
type flagElevatorBase struct {
	*elevatorBase
	flag []register.Bool
}

func newFlagElevator(n int) flagElevatorBase {
	l := flagElevatorBase{newElevator(n), make([]register.Bool, n+1)}
	l.flag[n].Store(true)
	return l
}

// enter is the entry section, in which lead is line 4 and taken the end of line 6.
func (l *flagElevatorBase) enter(i int, lead, taken func()) {
	nobody := &l.flag[len(l.apply)]
	l.apply[i].Store(true) // 1
	if l.try() {           // 2
		spin.Until(func() bool { return l.flag[i].Load() || nobody.Load() }) // 3
		lead()                                                               // 4
		l.fast.Store(false)                                                  // 5
	} else {
		spin.Until(func() bool { return l.flag[i].Load() }) // 6
		taken()                                             // 6
	}
}

// down sets flags to false.
func (l *flagElevatorBase) down(flags ...int) {
	for _, k := range flags {
		l.flag[k].Store(false) // 4, 6
	}
}

func (l *flagElevatorBase) Unlock(i int) {
	k := l.next(i)          // 7
	l.apply[i].Store(false) // 8
	l.flag[k].Store(true)   // 9
}

type flagNobodyKept struct{ flagElevatorBase }

func (l *flagNobodyKept) Lock(i int) {
	l.enter(i, func() { l.down(i) }, func() { l.down(i) })
}

type flagOwnKept struct{ flagElevatorBase }

func (l *flagOwnKept) Lock(i int) {
	l.enter(i, func() { l.down(len(l.apply), i) }, func() {})
}

// elevatorLFBase is the linear elevator with this trylock:
//
//	F1  b[i] := true
//	F2  x := i
//	F3  if y is not n then
//	F4      b[i] := false; return false
//	F5  y := i
//	F6  if x is not i then
//	F7      b[i] := false
//	F8      for all j: wait until b[j] = false
//	F9      if y is not i then return false
//	F10 won := fast = false
//	F11 if won then fast := true
//	F12 y := n
//	F13 b[i] := false; return won
type elevatorLFBase struct {
	*elevatorBase
	b    []register.Bool
	x, y register.Uint32
}

func newElevatorLF(n int) *elevatorLFBase {
	l := &elevatorLFBase{elevatorBase: newElevator(n), b: make([]register.Bool, n)}
	l.y.Store(uint32(n))
	return l
}

// try is the trylock, in which named is lines F8 and F9, and free is line F12.
func (l *elevatorLFBase) try(i int, named func() bool, free func()) bool {
	l.b[i].Store(true)                      // F1
	l.x.Store(uint32(i))                    // F2
	if l.y.Load() != uint32(len(l.apply)) { // F3
		l.b[i].Store(false) // F4
		return false
	}
	l.y.Store(uint32(i))         // F5
	if l.x.Load() != uint32(i) { // F6
		l.b[i].Store(false) // F7
		if !named() {       // F8, F9
			return false
		}
	}
	won := !l.fast.Load() // F10
	if won {
		l.fast.Store(true) // F11
	}
	free()              // F12
	l.b[i].Store(false) // F13
	return won
}

// await is line F8.
func (l *elevatorLFBase) await() {
	for j := range l.b {
		spin.Until(func() bool { return !l.b[j].Load() }) // F8
	}
}

// named is line F9.
func (l *elevatorLFBase) named(i int) bool { return l.y.Load() == uint32(i) }

// free is line F12.
func (l *elevatorLFBase) free() { l.y.Store(uint32(len(l.apply))) }

type elevatorLFNoAwait struct{ *elevatorLFBase }

func (l *elevatorLFNoAwait) Lock(i int) {
	l.apply[i].Store(true) // 1
	l.enter(i, l.try(i, func() bool { return l.named(i) }, l.free))
}

type elevatorLFYKept struct{ *elevatorLFBase }

func (l *elevatorLFYKept) Lock(i int) {
	l.apply[i].Store(true) // 1
	l.enter(i, l.try(i, func() bool { l.await(); return l.named(i) }, func() {}))
}
