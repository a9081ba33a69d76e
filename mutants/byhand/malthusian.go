package byhand

import (
	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var malthusianLock = queue.Malthusian(shm.Packed, shm.Sequential)

var malthusians = []Mutant{
	mutate(malthusianLock, "malthusian-never-promotes", "a passive process is let in only when nobody else waits", Starvation, 3,
		func(n int) shm.Mutex { return &malthusianNeverPromotes{newMalthusian(n)} }),
	mutate(malthusianLock, "malthusian-forgets", "the queue is emptied while a process is passive", Deadlock, 3,
		func(n int) shm.Mutex { return &malthusianForgets{newMalthusian(n)} }),
}

// malthusianBase is the Malthusian MCS lock for at most three processes, of which
// one at most can be passive; its entry section is that of mcsBase:
//
//	exit section of process i, whose node is I:
//	7  turn := (turn + 1) mod 2; if turn = 0 and somebody is passive then
//	8      graft(the eldest), return
//	9  succ := I.next; if succ = nil then
//	10     if somebody is passive then graft(the youngest), return
//	11     if compare-and-swap(tail, I, nil) succeeds then return
//	12     wait until I.next is not nil; succ := I.next
//	13 else if succ is not tail then
//	14     wait until succ.next is not nil
//	15     make succ passive; succ := succ.next
//	16 succ.locked := false
//	graft(e):
//	17 e.next := nil
//	18 if compare-and-swap(tail, I, e) fails then
//	19     wait until I.next is not nil; e.next := I.next
//	20 e.locked := false
type malthusianBase struct {
	*mcsBase
	turn    bool
	passive uint32 // the holder's, as is turn
}

func newMalthusian(n int) malthusianBase { return malthusianBase{mcsBase: newMCS(n)} }

// linked is lines 12, 14 and 19.
func (l *malthusianBase) linked(I uint32) uint32 {
	next := &l.of(I).next
	spin.Until(func() bool { return next.Load() != none })
	return next.Load()
}

// promote is lines 7 and 8.
func (l *malthusianBase) promote(I uint32) bool {
	l.turn = !l.turn
	if l.turn || l.passive == none {
		return false
	}
	l.graft(I)
	return true
}

// graft is lines 17 to 20, for the passive process.
func (l *malthusianBase) graft(I uint32) {
	e := l.passive
	l.passive = none
	l.of(e).next.Store(none)       // 17
	if !l.l.CompareAndSwap(I, e) { // 18
		l.of(e).next.Store(l.linked(I)) // 19
	}
	l.of(e).locked.Store(false) // 20
}

// pass is lines 13 to 16.
func (l *malthusianBase) pass(succ uint32) {
	if succ != l.l.Load() && l.passive == none { // 13
		l.passive = succ      // 15
		succ = l.linked(succ) // 14
	}
	l.of(succ).locked.Store(false) // 16
}

type malthusianNeverPromotes struct{ malthusianBase }

func (l *malthusianNeverPromotes) Unlock(i int) {
	I := uint32(i + 1)
	succ := l.of(I).next.Load() // 9
	switch {
	case succ != none:
		l.pass(succ)
	case l.passive != none: // 10
		l.graft(I)
	case !l.l.CompareAndSwap(I, none): // 11
		l.release(I)
	}
}

type malthusianForgets struct{ malthusianBase }

func (l *malthusianForgets) Unlock(i int) {
	I := uint32(i + 1)
	if l.promote(I) {
		return
	}
	if succ := l.of(I).next.Load(); succ != none { // 9
		l.pass(succ)
	} else if !l.l.CompareAndSwap(I, none) { // 11
		l.release(I)
	}
}
