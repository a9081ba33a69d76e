package byhand

import (
	"shmbench/peterson"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	anderson1993         = peterson.Anderson(shm.Packed, shm.Sequential)
	releasedAnderson1993 = peterson.Anderson(shm.Packed, shm.Released)
)

var andersonFines = []Mutant{
	mutate(anderson1993, "andersonfine-q-up", "q is not lowered, so that the other may find it up although this process has not given way", Safety, 2,
		func(int) shm.Mutex { return newAndersonFine(2) }),
	mutate(anderson1993, "andersonfine-alike", "both processes copy the other's t, so that neither has come last", Safety, 2,
		func(int) shm.Mutex { return newAndersonFine(3) }),
	mutate(anderson1993, "andersonfine-p-down", "the exit section does not raise p, for which the other may wait", Deadlock, 2,
		func(int) shm.Mutex { return newAndersonFine(7) }),
	release(releasedAnderson1993, "andersonfine-q-released", "q is lowered by a released store, and the other's t is read before it shows",
		func(int) shm.Mutex { return newAndersonFine(12) }),
}

// andersonFineMutant is Anderson's fine-grained lock, and one of its lines is not as it
// should be:
//
//	entry section of process i:
//	1  p[i] := false
//	2  q[i] := false                          (wrong: left out, or 12: released)
//	3  u := t[1-i] xor i                      (wrong: without xor i)
//	4  t[i] := u
//	5  if i = 0: if u then p[0] := true else q[0] := true
//	   if i = 1: if u then q[1] := true else p[1] := true
//	6  if u then wait until p[1-i] else wait until q[1-i]
//	exit section of process i:
//	7  p[i] := true                           (wrong: left out)
//	8  q[i] := true
type andersonFineMutant struct {
	wrong   int // the line
	p, q, t [2]register.Uint32
}

func newAndersonFine(wrong int) *andersonFineMutant {
	l := &andersonFineMutant{wrong: wrong}
	for i := range 2 {
		l.p[i].Store(1)
		l.q[i].Store(1)
	}
	return l
}

func (l *andersonFineMutant) Lock(i int) {
	l.p[i].Store(0) // 1
	if l.wrong != 2 {
		l.q[i].StoreReleaseIf(l.wrong == 12, 0) // 2
	}
	u := l.t[1-i].Load() // 3
	if l.wrong != 3 {
		u ^= uint32(i) // 3
	}
	l.t[i].Store(u) // 4
	if u != uint32(i) {
		l.p[i].Store(1) // 5
	} else {
		l.q[i].Store(1) // 5
	}
	spin.Until(func() bool { // 6
		if u != 0 {
			return l.p[1-i].Load() != 0
		}
		return l.q[1-i].Load() != 0
	})
}

func (l *andersonFineMutant) Unlock(i int) {
	if l.wrong != 7 {
		l.p[i].Store(1) // 7
	}
	l.q[i].Store(1) // 8
}
