package byhand

import (
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/szymanski"
)

var szymanskiBuhr = szymanski.Buhr(shm.Packed, shm.Sequential)

var szymanskiBuhrs = []Mutant{
	// A lower process in front of the first door comes in, and need not wait for anybody.
	mutate(szymanskiBuhr, "szymanskibuhr-looks-up-only", "who is in the first door looks at the higher processes only", Safety, 2,
		func(n int) shm.Mutex { return &szymanskiBuhrLooksUp{szymanskiBuhrBase{newSzymanski(n)}} }),
	// The one past the second door waits for this one, which has the lower number.
	mutate(szymanskiBuhr, "szymanskibuhr-door-kept", "the exit section waits until the higher processes are outside", Deadlock, 2,
		func(n int) shm.Mutex { return &szymanskiBuhrDoorKept{szymanskiBuhrBase{newSzymanski(n)}} }),
}

// szymanskiBuhrBase is Buhr's form of szymanskiBase, which has these lines 4 to 6:
//
//	4  for each j other than i with flag[j] = 1:
//	5      flag[i] := 2
//	6      wait until flag[k] = 4 for some k other than i
type szymanskiBuhrBase struct{ szymanskiBase }

// room is lines 4 to 6 for processes from the one given on.
func (l *szymanskiBuhrBase) room(i, from int) {
	for j := from; j < len(l.flag); j++ {
		if j != i && l.flag[j].Load() == 1 { // 4
			l.flag[i].Store(2)                             // 5
			spin.Until(func() bool { return l.any(i, 4) }) // 6
		}
	}
}

// enter is the entry section, in which line 4 begins at a process.
func (l *szymanskiBuhrBase) enter(i, from int) {
	l.flag[i].Store(1) // 1
	l.firstDoor(i)
	l.flag[i].Store(3) // 3
	l.room(i, from)
	l.flag[i].Store(4) // 7
	l.lower(i)
}

type szymanskiBuhrLooksUp struct{ szymanskiBuhrBase }

func (l *szymanskiBuhrLooksUp) Lock(i int) { l.enter(i, i+1) }

type szymanskiBuhrDoorKept struct{ szymanskiBuhrBase }

func (l *szymanskiBuhrDoorKept) Lock(i int) { l.enter(i, 0) }

func (l *szymanskiBuhrDoorKept) Unlock(i int) {
	for j := i + 1; j < len(l.flag); j++ {
		spin.Until(func() bool { return l.flag[j].Load() < 2 }) // 9
	}
	l.flag[i].Store(0) // 10
}
