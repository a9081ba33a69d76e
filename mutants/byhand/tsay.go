package byhand

import (
	"shmbench/peterson"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	tsay1998     = peterson.Tsay(shm.Packed, shm.Sequential)
	releasedTsay = peterson.Tsay(shm.Packed, shm.Released)
)

var tsays = []Mutant{
	mutate(tsay1998, "tsay-last-first", "last is written before want, so that the other overwrites it unseen", Safety, 2,
		func(int) shm.Mutex { return new(tsayLastFirst) }),
	mutate(tsay1998, "tsay-exit-silent", "the exit section does not write last, for which the other waits", Deadlock, 2,
		func(int) shm.Mutex { return new(tsayExitSilent) }),
	mutate(tsay1998, "tsay-exit-swapped", "the exit section writes last before it clears want, and the other may write it in between and wait", Deadlock, 2,
		func(int) shm.Mutex { return new(tsayExitSwapped) }).outOfReach(
		"the other must make three accesses between two stores that follow one another"),
	release(releasedTsay, "tsay-last-released", "last is written by a released store too, and nothing takes want to memory",
		func(int) shm.Mutex { return new(tsayLastReleased) }),
}

// tsayBase is Tsay's lock in pieces:
//
//	entry section of process i:
//	1  want[i] := true
//	2  last := i
//	3  if want[1-i] then
//	4      wait until last != i
//	exit section:
//	5  want[i] := false
//	6  last := i
type tsayBase struct {
	want [2]register.Bool
	last register.Uint32
}

// await is lines 3 and 4.
func (l *tsayBase) await(i int) {
	if l.want[1-i].Load() { // 3
		spin.Until(func() bool { return l.last.Load() != uint32(i) }) // 4
	}
}

func (l *tsayBase) Lock(i int) {
	l.want[i].Store(true)   // 1
	l.last.Store(uint32(i)) // 2
	l.await(i)              // 3, 4
}

func (l *tsayBase) Unlock(i int) {
	l.want[i].Store(false)  // 5
	l.last.Store(uint32(i)) // 6
}

type tsayLastFirst struct{ tsayBase }

func (l *tsayLastFirst) Lock(i int) {
	l.last.Store(uint32(i)) // 2
	l.want[i].Store(true)   // 1
	l.await(i)              // 3, 4
}

type tsayExitSilent struct{ tsayBase }

func (l *tsayExitSilent) Unlock(i int) {
	l.want[i].Store(false) // 5
}

type tsayExitSwapped struct{ tsayBase }

func (l *tsayExitSwapped) Unlock(i int) {
	l.last.Store(uint32(i)) // 6
	l.want[i].Store(false)  // 5
}

type tsayLastReleased struct{ tsayBase }

func (l *tsayLastReleased) Lock(i int) {
	l.want[i].StoreRelease(true)   // 1
	l.last.StoreRelease(uint32(i)) // 2
	l.await(i)                     // 3, 4
}
