package crashes

import (
	"sync/atomic"

	"shmbench/shm"
)

// yangAnderson is recoverable/rya without a part of its recovery.
type yangAnderson struct {
	noWake, noExit bool
	d, c, p        [2]atomic.Uint32
	t              atomic.Uint32
}

func NewYAWhole(int) *yangAnderson  { return new(yangAnderson) }
func NewYANoWake(int) *yangAnderson { return &yangAnderson{noWake: true} }
func NewYANoExit(int) *yangAnderson { return &yangAnderson{noExit: true} }

func (l *yangAnderson) Recover(i int) shm.Outcome {
	switch d := l.d[i].Load(); { // R1
	case d == 2:
		return shm.Inside
	case d == 1 && !l.noWake:
		l.p[1-i].Store(2) // R2
	case d == 3 && !l.noExit:
		l.c[i].Store(0)              // R3
		if l.t.Load() != uint32(i) { // R4
			l.p[1-i].Store(2) // R5
		}
	}
	return shm.Enter
}

func (l *yangAnderson) Lock(i int) {
	me, j := uint32(i), 1-i
	l.d[i].Store(1)                             // E1
	l.c[i].Store(1)                             // E2
	l.t.Store(me)                               // E3
	l.p[i].Store(0)                             // E4
	if l.c[j].Load() == 1 && l.t.Load() == me { // E5
		if l.p[j].Load() == 0 { // E7
			l.p[j].Store(1) // E8
		}
		for l.p[i].Load() == 0 { // E9
		}
		if l.t.Load() == me { // E10
			for l.p[i].Load() != 2 { // E11
			}
		}
	}
	l.d[i].Store(2) // E12
}

func (l *yangAnderson) Unlock(i int) {
	l.d[i].Store(3)              // X1
	l.c[i].Store(0)              // X2
	if l.t.Load() != uint32(i) { // X3
		l.p[1-i].Store(2) // X4
	}
	l.d[i].Store(0) // X5
}
