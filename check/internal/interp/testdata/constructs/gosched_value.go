package constructs

import (
	"runtime"

	"shmbench/shm/spin"
)

// GoschedValue passes the time through variables, and later.
type GoschedValue struct {
	n int
	x int
}

func NewGoschedValue(int) *GoschedValue { return &GoschedValue{n: 1} }

// Lock makes these accesses:
//
//	n = 1, x := 1
func (l *GoschedValue) Lock(int) {
	pause := runtime.Gosched
	if l.n == 1 {
		pause = spin.Pause
	}
	defer pause()
	pause()
	l.x = 1
}

func (l *GoschedValue) Unlock(int) {}
