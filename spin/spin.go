// Package spin is the one way in which the locks of this module wait.
//
// A wait that only reads is
//
//	spin.Until(func() bool { return !l.choosing[j].Load() })
//
// and a loop that writes before it tries again calls Pause at its back edge.
// What happens between two polls is the Policy, chosen once for the process.
//
// The compiler inlines Until together with its condition, so that a wait
// whose condition holds at once costs what the hand-written test costs.
package spin

import (
	"math/rand/v2"
	"runtime"
)

// Until returns when cond does, and pauses after each poll that fails.
//
// It is as long as the compiler still inlines; a count of the polls would
// already be too much, which is why Pause draws lots instead.
func Until(cond func() bool) {
	for !cond() {
		Pause()
	}
}

// Pause passes the time between two polls by the policy in use.
//
//go:noinline
func Pause() {
	switch policy {
	case PauseYield:
		if rand.Uint32()%pausesPerYield != 0 {
			pause()
		} else {
			runtime.Gosched()
		}
	case Paused:
		pause()
	case Yielding:
		runtime.Gosched()
	}
}
