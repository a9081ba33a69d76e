package nodes

import (
	"sync/atomic"

	"shmbench/shm/register"
)

// Interest is Peterson's lock for two processes, in which each says by a node of its
// own that it wants to enter, and the node says who came last. Without a fence behind
// the store of turn a process may look at the other before it can be seen.
type Interest struct {
	q    [2]atomic.Pointer[interest]
	turn atomic.Pointer[interest]
}

type interest struct{ of atomic.Int32 }

func NewInterest(int) *Interest { return new(Interest) }

func (l *Interest) Lock(i int) {
	mine := new(interest)
	mine.of.Store(int32(i))
	l.q[i].Store(mine)                                                  // 1
	l.turn.Store(mine)                                                  // 2
	for l.q[1-i].Load() != nil && l.turn.Load().of.Load() == int32(i) { // 3
	}
}

func (l *Interest) Unlock(i int) { l.q[i].Store(nil) } // 4

// Meets is Interest with a word that no process comes to unless two processes meet.
type Meets struct {
	Interest
	inside atomic.Int32
	met    int
}

func NewMeets(int) *Meets { return new(Meets) }

func (l *Meets) Lock(i int) {
	l.Interest.Lock(i)
	if l.inside.Add(1) > 1 { // 5
		l.met = 1
	}
}

func (l *Meets) Unlock(i int) {
	l.inside.Add(-1) // 6
	l.Interest.Unlock(i)
}

// Released is a CLH lock that passes on by a store without a fence.
type Released struct {
	tail atomic.Pointer[released]
	mine []*released
}

type released struct{ locked register.Bool }

func NewReleased(n int) *Released {
	l := &Released{mine: make([]*released, n)}
	l.tail.Store(new(released))
	return l
}

func (l *Released) Lock(i int) {
	n := new(released)
	n.locked.Store(true)
	l.mine[i] = n
	for pred := l.tail.Swap(n); pred.locked.Load(); { // 1, 2
	}
}

func (l *Released) Unlock(i int) { l.mine[i].locked.StoreRelease(false) } // 3

// Trailing writes to its node when no process can find it any more. What is still in the
// store buffer then must not come to be in the node that its process shows next.
type Trailing struct {
	busy atomic.Bool
	box  [2]atomic.Pointer[trail]
}

type trail struct{ shown atomic.Bool }

func NewTrailing(int) *Trailing { return new(Trailing) }

func (l *Trailing) Lock(i int) {
	n := new(trail)
	n.shown.Store(true)
	l.box[i].Store(n)       // 1
	for l.busy.Swap(true) { // 2
	}
	if !n.shown.Load() { // 3
		panic("hidden")
	}
}

func (l *Trailing) Unlock(i int) {
	n := l.box[i].Load() // 4
	l.box[i].Store(nil)  // 5
	n.shown.Store(false) // 6
	l.busy.Store(false)  // 7
}
