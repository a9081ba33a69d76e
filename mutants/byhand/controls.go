package byhand

import (
	"sync/atomic"

	"shmbench/dijkstra"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	knuth1966     = dijkstra.Knuth(shm.Packed, shm.Sequential)
	deBruijn1967  = dijkstra.DeBruijn(shm.Packed, shm.Sequential)
	eisenberg1972 = dijkstra.EisenbergMcGuire(shm.Packed, shm.Sequential)
)

// controlLocks are mutants of the three locks that came after Dijkstra's.
var controlLocks = []Mutant{
	mutate(knuth1966, "knuth-no-second-look", "nobody looks whether another goes in after writing control", Safety, 2,
		func(n int) shm.Mutex { return &knuthNoSecondLook{newControls(n)} }),
	mutate(knuth1966, "knuth-keeps-turn", "the exit section leaves the turn with its own process", Starvation, 2,
		func(n int) shm.Mutex { return &knuthKeepsTurn{knuthBase{newControls(n)}} }),
	mutate(knuth1966, "knuth-keeps-control", "the exit section leaves control", Deadlock, 2,
		func(n int) shm.Mutex { return &knuthKeepsControl{knuthBase{newControls(n)}} }),

	mutate(deBruijn1967, "debruijn-goes-in-first", "a process sets control to 2 before it waits for those that have the turn before it", Deadlock, 2,
		func(n int) shm.Mutex { return &deBruijnGoesInFirst{deBruijnBase{newControls(n)}} }),
	mutate(deBruijn1967, "debruijn-only-own-turn", "the turn does not move past a process that does not want to enter", Starvation, 3,
		func(n int) shm.Mutex { return &deBruijnOnlyOwnTurn{deBruijnBase{newControls(n)}} }),
	mutate(deBruijn1967, "debruijn-keeps-control", "the exit section leaves control", Deadlock, 2,
		func(n int) shm.Mutex { return &deBruijnKeepsControl{deBruijnBase{newControls(n)}} }),

	mutate(eisenberg1972, "eisenberg-never-goes-in", "control is never set to 2", Safety, 2,
		func(n int) shm.Mutex { return &eisenbergNeverGoesIn{eisenbergBase{newControls(n)}} }),
	mutate(eisenberg1972, "eisenberg-keeps-turn", "the exit section leaves the turn with its own process", Starvation, 2,
		func(n int) shm.Mutex { return &eisenbergKeepsTurn{eisenbergBase{newControls(n)}} }),
	mutate(eisenberg1972, "eisenberg-keeps-control", "the exit section leaves control", Deadlock, 2,
		func(n int) shm.Mutex { return &eisenbergKeepsControl{eisenbergBase{newControls(n)}} }),
}

// controls is what the three locks have in common, in pieces:
//
//	entry section of process i:
//	1  control[i] := 1
//	2  for j := k, going round, to the one before i: if control[j] is not 0 then goto 2
//	3  control[i] := 2
//	4  for j := 0 to n-1, except i: if control[j] = 2 then goto 1
//
// Knuth and de Bruijn go round downwards, Eisenberg and McGuire upwards.
type controls struct {
	control []atomic.Uint32
	k       atomic.Uint32
}

func newControls(n int) *controls { return &controls{control: make([]atomic.Uint32, n)} }

// await is line 2.
func (l *controls) await(i, step int) {
	spin.Until(func() bool {
		for j := int(l.k.Load()); j != i; j = l.next(j, step) {
			if l.control[j].Load() != 0 {
				return false
			}
		}
		return true
	})
}

// alone is line 4.
func (l *controls) alone(i int) bool {
	for j := range l.control {
		if j != i && l.control[j].Load() == 2 {
			return false
		}
	}
	return true
}

func (l *controls) next(j, step int) int { return (j + step + len(l.control)) % len(l.control) }

// goIn is lines 1 to 4.
func (l *controls) goIn(i, step int) {
	for {
		l.control[i].Store(1) // 1
		l.await(i, step)      // 2
		l.control[i].Store(2) // 3
		if l.alone(i) {       // 4
			return
		}
		spin.Pause()
	}
}

// knuthBase goes on:
//
//	5  k := i
//	exit section:
//	6  k := i-1, or n-1 if i = 0
//	7  control[i] := 0
type knuthBase struct{ *controls }

func (l *knuthBase) Lock(i int) {
	l.goIn(i, -1)
	l.k.Store(uint32(i)) // 5
}

type knuthNoSecondLook struct{ *controls }

func (l *knuthNoSecondLook) Lock(i int) {
	l.control[i].Store(1) // 1
	l.await(i, -1)        // 2
	l.control[i].Store(2) // 3
	l.k.Store(uint32(i))  // 5
}

func (l *knuthNoSecondLook) Unlock(i int) {
	l.k.Store(uint32(l.next(i, -1))) // 6
	l.control[i].Store(0)            // 7
}

type knuthKeepsTurn struct{ knuthBase }

func (l *knuthKeepsTurn) Unlock(i int) {
	l.control[i].Store(0) // 7
}

type knuthKeepsControl struct{ knuthBase }

func (l *knuthKeepsControl) Unlock(i int) {
	l.k.Store(uint32(l.next(i, -1))) // 6
}

// deBruijnBase goes on:
//
//	exit section:
//	5  if k = i or control[k] = 0 then
//	6      k := k-1, or n-1 if k = 0
//	7  control[i] := 0
type deBruijnBase struct{ *controls }

func (l *deBruijnBase) Lock(i int) { l.goIn(i, -1) }

func (l *deBruijnBase) Unlock(i int) {
	l.handOn(i)
	l.control[i].Store(0) // 7
}

// handOn is lines 5 and 6.
func (l *deBruijnBase) handOn(i int) {
	if k := int(l.k.Load()); k == i || l.control[k].Load() == 0 { // 5
		l.k.Store(uint32(l.next(k, -1))) // 6
	}
}

type deBruijnGoesInFirst struct{ deBruijnBase }

func (l *deBruijnGoesInFirst) Lock(i int) {
	for {
		l.control[i].Store(2) // 3
		l.await(i, -1)        // 2
		if l.alone(i) {       // 4
			return
		}
		spin.Pause()
	}
}

type deBruijnOnlyOwnTurn struct{ deBruijnBase }

func (l *deBruijnOnlyOwnTurn) Unlock(i int) {
	if k := int(l.k.Load()); k == i { // 5
		l.k.Store(uint32(l.next(k, -1))) // 6
	}
	l.control[i].Store(0) // 7
}

type deBruijnKeepsControl struct{ deBruijnBase }

func (l *deBruijnKeepsControl) Unlock(i int) { l.handOn(i) }

// eisenbergBase goes on:
//
//	5  if k is not i and control[k] is not 0 then goto 1
//	6  k := i
//	exit section:
//	7  for j := i+1, i+2, ..., round to i-1: if control[j] is not 0 then
//	8      k := j, and goto 9
//	9  control[i] := 0
type eisenbergBase struct{ *controls }

func (l *eisenbergBase) Lock(i int) {
	for {
		l.goIn(i, 1)
		if l.mine(i) { // 5
			break
		}
		spin.Pause()
	}
	l.k.Store(uint32(i)) // 6
}

// mine reports whether nobody else has the turn and wants to enter.
func (l *eisenbergBase) mine(i int) bool {
	k := int(l.k.Load())
	return k == i || l.control[k].Load() == 0 // 5
}

func (l *eisenbergBase) Unlock(i int) {
	l.handOn(i)
	l.control[i].Store(0) // 9
}

// handOn is lines 7 and 8.
func (l *eisenbergBase) handOn(i int) {
	for j := l.next(i, 1); j != i; j = l.next(j, 1) { // 7
		if l.control[j].Load() != 0 { // 7
			l.k.Store(uint32(j)) // 8
			return
		}
	}
}

type eisenbergNeverGoesIn struct{ eisenbergBase }

func (l *eisenbergNeverGoesIn) Lock(i int) {
	l.control[i].Store(1) // 1
	for {
		l.await(i, 1)                // 2
		if l.alone(i) && l.mine(i) { // 4, 5
			break
		}
		spin.Pause()
	}
	l.k.Store(uint32(i)) // 6
}

type eisenbergKeepsControl struct{ eisenbergBase }

func (l *eisenbergKeepsControl) Unlock(i int) { l.handOn(i) }

type eisenbergKeepsTurn struct{ eisenbergBase }

func (l *eisenbergKeepsTurn) Unlock(i int) {
	l.control[i].Store(0) // 9
}
