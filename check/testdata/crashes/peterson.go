package crashes

import (
	"sync/atomic"

	"shmbench/shm"
)

// peterson is Peterson's lock, which recovers in a wrong way.
type peterson struct {
	plainPeterson
	how string
}

// plainPeterson has no Recover: its entry section is executed again.
type plainPeterson struct {
	flag [2]atomic.Uint32
	turn atomic.Uint32
}

func NewPetersonRedo(int) *plainPeterson { return new(plainPeterson) }
func NewPetersonAbandon(int) *peterson   { return &peterson{how: "abandon"} }
func NewPetersonJump(int) *peterson      { return &peterson{how: "jump"} }

func (l *plainPeterson) Lock(i int) {
	l.flag[i].Store(1)                                          // E1
	l.turn.Store(uint32(i))                                     // E2
	for l.flag[1-i].Load() == 1 && l.turn.Load() == uint32(i) { // E3
	}
}

func (l *plainPeterson) Unlock(i int) { l.flag[i].Store(0) } // X1

func (l *peterson) Recover(i int) shm.Outcome {
	if l.how == "abandon" {
		l.flag[i].Store(0) // R1
	} else if l.flag[i].Load() == 1 { // R1
		return shm.Inside
	}
	return shm.Enter
}

// noraise is the lock with three values of the flag. A process that has crashed with a raised
// flag does not execute lines E1 and E2 again.
type noraise struct{ plainPeterson }

func NewPetersonNoRaise(int) *noraise { return new(noraise) }

func (l *noraise) Recover(i int) shm.Outcome {
	if l.flag[i].Load() == 2 { // R1
		return shm.Inside
	}
	return shm.Enter
}

func (l *noraise) Lock(i int) {
	if l.flag[i].Load() != 1 { // E0
		l.flag[i].Store(1)      // E1
		l.turn.Store(uint32(i)) // E2
	}
	for l.flag[1-i].Load() != 0 && l.turn.Load() == uint32(i) { // E3
	}
	l.flag[i].Store(2) // E4
}
