package byhand

import (
	"shmbench/peterson"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var petersonFischer = peterson.PetersonFischer(shm.Packed)

var petersonFischers = []Mutant{
	mutate(petersonFischer, "petersonfischer-reads-once", "what was read is not read again after the first write, and may be old", Safety, 2,
		func(int) shm.Mutex { return new(petersonFischerReadsOnce) }),
	mutate(petersonFischer, "petersonfischer-out-unseen", "the wait takes a process that is out for one that wrote yes", Deadlock, 1,
		func(int) shm.Mutex { return new(petersonFischerOutUnseen) }),
	mutate(petersonFischer, "petersonfischer-alike", "both processes make the registers equal", Deadlock, 2,
		func(int) shm.Mutex { return new(petersonFischerAlike) }),
	release(releasedPetersonFischer(), "petersonfischer-exit-released", "the exit section's store is released, and the next passage reads before it shows",
		func(int) shm.Mutex { return new(petersonFischerExitReleased) }).outOfReach(
		"the store must stay in its buffer while the process comes back and reads, and while the other one enters"),
}

// releasedPetersonFischer is the card of a released form that the lock does not
// have.
func releasedPetersonFischer() shm.Algorithm {
	a := petersonFischer
	a.Stores = shm.Released
	return a
}

// petersonFischerBase is Peterson and Fischer's lock in pieces:
//
//	entry section of process i, where
//	mine(x) = yes if x = out, else x if i = 0, else the other of yes and no:
//	1  x := q[1-i]
//	2  q[i] := mine(x)
//	3  x := q[1-i]
//	4  if x != out then q[i] := mine(x)
//	5  wait until q[1-i] = out or q[i] != mine(q[1-i])
//	exit section:
//	6  q[i] := out
//
// Out is 0, no is 1 and yes is 2.
type petersonFischerBase struct{ q [2]register.Uint32 }

// mine is what process i writes when it has read x.
func (l *petersonFischerBase) mine(i int, x uint32) uint32 {
	switch {
	case x == 0:
		return 2
	case i == 0:
		return x
	}
	return 3 - x
}

// show is lines 1 and 2, and returns what is written.
func (l *petersonFischerBase) show(i int) uint32 {
	m := l.mine(i, l.q[1-i].Load()) // 1
	l.q[i].Store(m)                 // 2
	return m
}

// again is lines 3 and 4.
func (l *petersonFischerBase) again(i int, m uint32) uint32 {
	if x := l.q[1-i].Load(); x != 0 { // 3
		m = l.mine(i, x)
		l.q[i].Store(m) // 4
	}
	return m
}

// await is line 5.
func (l *petersonFischerBase) await(i int, m uint32) {
	spin.Until(func() bool {
		x := l.q[1-i].Load()
		return x == 0 || m != l.mine(i, x)
	})
}

func (l *petersonFischerBase) Lock(i int) {
	l.await(i, l.again(i, l.show(i)))
}

func (l *petersonFischerBase) Unlock(i int) {
	l.q[i].Store(0) // 6
}

type petersonFischerReadsOnce struct{ petersonFischerBase }

func (l *petersonFischerReadsOnce) Lock(i int) {
	l.await(i, l.show(i)) // 1, 2, 5
}

type petersonFischerOutUnseen struct{ petersonFischerBase }

func (l *petersonFischerOutUnseen) Lock(i int) {
	m := l.again(i, l.show(i))                                         // 1-4
	spin.Until(func() bool { return m != l.mine(i, l.q[1-i].Load()) }) // 5
}

type petersonFischerAlike struct{ petersonFischerBase }

func (l *petersonFischerAlike) Lock(i int) {
	m := max(l.q[1-i].Load(), 1)      // 1
	l.q[i].Store(m)                   // 2
	if x := l.q[1-i].Load(); x != 0 { // 3
		m = x
		l.q[i].Store(m) // 4
	}
	spin.Until(func() bool { return l.q[1-i].Load() != m }) // 5
}

type petersonFischerExitReleased struct{ petersonFischerBase }

func (l *petersonFischerExitReleased) Unlock(i int) {
	l.q[i].StoreRelease(0) // 6
}
