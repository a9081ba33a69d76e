package byhand

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	kessels1982     = peterson.Kessels(shm.Packed, shm.Sequential)
	releasedKessels = peterson.Kessels(shm.Packed, shm.Released)
)

var kesselses = []Mutant{
	mutate(kessels1982, "kessels-r-first", "r is written before q is raised, as if nobody could come in between", Safety, 2,
		func(int) shm.Mutex { return new(kesselsRFirst) }),
	mutate(kessels1982, "kessels-alike", "both processes make the bits equal, so that both can wait", Deadlock, 2,
		func(int) shm.Mutex { return new(kesselsAlike) }),
	mutate(kessels1982, "kessels-r-only", "the wait does not ask whether the other is interested", Deadlock, 1,
		func(int) shm.Mutex { return new(kesselsROnly) }),
	release(releasedKessels, "kessels-q-released", "q is raised by a released store, and the other's r is read before it shows",
		func(int) shm.Mutex { return new(kesselsQReleased) }),
}

// kesselsBase is Kessels's lock in pieces:
//
//	entry section of process i:
//	1  q[i] := true
//	2  m := r[1-i] xor i
//	3  r[i] := m
//	4  wait until not q[1-i] or r[1-i] xor i != m
//	exit section:
//	5  q[i] := false
type kesselsBase struct {
	q [2]register.Bool
	r [2]atomic.Uint32
}

// comeLast is lines 2 and 3, and returns m.
func (l *kesselsBase) comeLast(i int) uint32 {
	m := l.r[1-i].Load() ^ uint32(i) // 2
	l.r[i].Store(m)                  // 3
	return m
}

// await is line 4.
func (l *kesselsBase) await(i int, m uint32) {
	spin.Until(func() bool { return !l.q[1-i].Load() || l.r[1-i].Load()^uint32(i) != m })
}

func (l *kesselsBase) Unlock(i int) {
	l.q[i].Store(false) // 5
}

type kesselsRFirst struct{ kesselsBase }

func (l *kesselsRFirst) Lock(i int) {
	m := l.comeLast(i) // 2, 3
	l.q[i].Store(true) // 1
	l.await(i, m)      // 4
}

type kesselsAlike struct{ kesselsBase }

func (l *kesselsAlike) Lock(i int) {
	l.q[i].Store(true)       // 1
	m := l.r[1-i].Load()     // 2
	l.r[i].Store(m)          // 3
	spin.Until(func() bool { // 4
		return !l.q[1-i].Load() || l.r[1-i].Load() != m
	})
}

type kesselsROnly struct{ kesselsBase }

func (l *kesselsROnly) Lock(i int) {
	l.q[i].Store(true)                                                // 1
	m := l.comeLast(i)                                                // 2, 3
	spin.Until(func() bool { return l.r[1-i].Load()^uint32(i) != m }) // 4
}

type kesselsQReleased struct{ kesselsBase }

func (l *kesselsQReleased) Lock(i int) {
	l.q[i].StoreRelease(true) // 1
	m := l.comeLast(i)        // 2, 3
	l.await(i, m)             // 4
}
