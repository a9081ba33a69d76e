// Package perturb makes the twin of sync/atomic take its time: it now and then yields or
// delays before an access. A lock built on it is the same lock in a rougher world. There
// the gaps between two accesses are as long as the critical section. The random numbers
// are the runtime's, not a seed's: the order of accesses is not repeatable either way.
package perturb

import (
	"math/rand/v2"
	"runtime"
	"time"

	"shmbench/internal/build/twin"
)

// on is set by the linker in a program whose locks are built on the twin.
var on string

// Flag is the flag of "go build" that turns it on.
const Flag = "-ldflags=-X shmbench/internal/build/twin/perturb.on=yes"

func init() {
	if on != "" {
		twin.Before = func(twin.Access) { Disturb() }
	}
}

// Disturb passes nothing, a little, or much time. One access in 16 is
// disturbed at all.
func Disturb() {
	lot := rand.Uint32()
	if lot%16 != 0 {
		return
	}
	switch lot >>= 4; {
	case lot%64 == 0: // long enough for others to make many passages
		time.Sleep(time.Duration(lot>>6%50) * time.Microsecond)
	case lot%4 == 0:
		runtime.Gosched()
	default:
		for range lot >> 6 % 200 {
			nothing()
		}
	}
}

//go:noinline
func nothing() {}
