package recoverable

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// RPeterson returns the specification of Peterson's lock with three values of a flag.
func RPeterson() shm.Algorithm {
	return shm.Algorithm{
		Name:     "recoverable/rpeterson",
		Title:    "Recoverable Peterson, two processes",
		Source:   own("Peterson's two-process lock with a third value of the flag"),
		Class:    shm.ReadWrite,
		MaxProcs: 2,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.NMinus1,
			FCFS:           true,
			Doorway:        "E2",
			LocalSpin:      shm.LocalSpin{CC: true},
			Weakest:        shm.Weakest{DeadlockFree: shm.Safe, StarvationFree: shm.Safe},
			Recovery: &shm.Recovery{StarvationFree: true, StronglyStarvationFree: true, FCFS: true,
				Reentry: shm.Const(1), Recover: shm.Const(1), Exit: shm.Const(1), References: remote},
		},
		Space: shm.Space{
			{Name: "flag", Count: shm.Const(2), Values: shm.Const(3), SingleWriter: true},
			{Name: "turn", Count: shm.Const(1), Values: shm.Const(2)},
		},
	}.Built(shm.Padded, shm.Sequential, buildRPeterson)
}

// The values of a flag.
const (
	out    = 0
	wants  = 1
	inside = 2
)

// RPetersonMutex is Peterson's two-process lock, in which a flag also says that its process
// is in its critical section.
//
// Source: constructed for this catalog from Gary L. Peterson, "Myths About the Mutual
// Exclusion Problem", Information Processing Letters 12(3), 1981, p. 115-116; decided by
// check.
//
// Registers: flag[i], out, wants or inside, written by process i; turn, an id, written by
// both.
//
// Properties: those of Peterson's lock. Under crashes a process whose flag is inside
// returns to its critical section in one step. A process that crashed in its entry section
// executes the entry section again: lines E1 and E2, because it does not know whether it
// had executed line E2.
//
// The doorway is lines E1 and E2.
//
//	recover section of process i:
//	R1  if flag[i] = inside, process i is in its critical section
//	entry section:
//	E1  flag[i] := wants
//	E2  turn := i
//	E3  wait until flag[1-i] = out or turn = 1-i
//	E4  flag[i] := inside
//	exit section:
//	X1  flag[i] := out
//
// Deviations: Peterson's flag is a bit.
type RPetersonMutex struct {
	_    shm.NoCopy
	flag [2]*register.Uint32
	turn *register.Uint32
}

// NewRPeterson returns the lock for n processes, 1 or 2, or a *shm.ProcsError.
func NewRPeterson(n int) (*RPetersonMutex, error) {
	return shm.New[*RPetersonMutex](RPeterson(), n)
}

func buildRPeterson(b shm.Build) shm.Mutex {
	r := shm.NewArray[register.Uint32](3, b.Layout)
	return &RPetersonMutex{flag: [2]*register.Uint32{r.At(0), r.At(1)}, turn: r.At(2)}
}

// Recover finds out where process i crashed.
func (l *RPetersonMutex) Recover(i int) shm.Outcome {
	if l.flag[i].Load() == inside { // R1
		return shm.Inside
	}
	return shm.Enter
}

// Lock acquires the lock for process i.
func (l *RPetersonMutex) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.flag[me].Store(wants)  // E1
	l.turn.Store(me)         // E2
	spin.Until(func() bool { // E3
		return l.flag[other].Load() == out || l.turn.Load() == other
	})
	l.flag[me].Store(inside) // E4
}

// Unlock releases the lock for process i.
func (l *RPetersonMutex) Unlock(i int) {
	l.flag[i].Store(out) // X1
}
