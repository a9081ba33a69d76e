package byhand

import (
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var twa = queue.TWA(shm.Packed, shm.Sequential)

var twas = []Mutant{
	mutate(twa, "twa-no-second-look", "who goes to the waiting array does not look at grant again before it waits there", Deadlock, 3,
		func(n int) shm.Mutex { return &twaNoSecondLook{newTWA(n)} }).
		outOfReach("two exits must come between two loads of one process that are next to each other"),
	mutate(twa, "twa-pokes-first", "the exit section wakes the next but one before it serves the next", Deadlock, 3,
		func(n int) shm.Mutex { return &twaPokesFirst{newTWA(n)} }).
		outOfReach("a process that waits must wake and look between two stores that are next to each other"),
}

// twaBase is the ticket lock with a waiting array, in pieces:
//
//	entry section of process i, with the threshold L = 1:
//	1  t := fetch-and-increment(ticket)
//	2  d := t - grant; if d = 0 then enter
//	3  if d > L then u := w[h(t)]
//	4      d := t - grant
//	5      while d > L:
//	6          wait until w[h(t)] is not u; u := w[h(t)]
//	7          d := t - grant
//	8  wait until grant = t
//	exit section:
//	9  k := grant + 1
//	10 grant := k
//	11 fetch-and-increment(w[h(k + L)])
type twaBase struct {
	ticket, grant atomic.Uint32
	w             []atomic.Uint32
}

func newTWA(n int) *twaBase { return &twaBase{w: make([]atomic.Uint32, max(1, slots(n)/2))} }

// hash is the counter of ticket t.
func (l *twaBase) hash(t uint32) *atomic.Uint32 { return &l.w[t%uint32(len(l.w))] }

// ahead is the number of processes before ticket t.
func (l *twaBase) ahead(t uint32) uint32 { return t - l.grant.Load() }

// change is line 6.
func (l *twaBase) change(t, u uint32) uint32 {
	w, now := l.hash(t), u
	spin.Until(func() bool { now = w.Load(); return now != u })
	return now
}

// waitLong is lines 3 to 7.
func (l *twaBase) waitLong(t uint32) {
	u := l.hash(t).Load() // 3
	d := l.ahead(t)       // 4
	for d > 1 {
		u = l.change(t, u) // 6
		d = l.ahead(t)     // 7
	}
}

// await is line 8.
func (l *twaBase) await(t uint32) {
	spin.Until(func() bool { return l.grant.Load() == t }) // 8
}

func (l *twaBase) Lock(int) {
	t := l.ticket.Add(1) - 1 // 1
	if l.ahead(t) > 1 {      // 2
		l.waitLong(t)
	}
	l.await(t)
}

func (l *twaBase) Unlock(int) {
	k := l.grant.Load() + 1 // 9
	l.grant.Store(k)        // 10
	l.hash(k + 1).Add(1)    // 11
}

type twaNoSecondLook struct{ *twaBase }

func (l *twaNoSecondLook) Lock(int) {
	t := l.ticket.Add(1) - 1    // 1
	if d := l.ahead(t); d > 1 { // 2
		u := l.hash(t).Load() // 3
		for d > 1 {
			u = l.change(t, u) // 6
			d = l.ahead(t)     // 7
		}
	}
	l.await(t)
}

type twaPokesFirst struct{ *twaBase }

func (l *twaPokesFirst) Unlock(int) {
	k := l.grant.Load() + 1 // 9
	l.hash(k + 1).Add(1)    // 11
	l.grant.Store(k)        // 10
}
