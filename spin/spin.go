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

// Cond is a condition to wait for; it reads shared registers and writes none.
type Cond func() bool

// Until returns when cond does. Between polls that fail it passes the time by
// the policy in use.
//
// It is as long as the compiler still inlines, to the last unit of its budget:
// that wait is a method of Cond saves the one that a function would be over.
func Until(cond Cond) {
	if !cond() {
		cond.wait()
	}
}

// wait is Until after the first poll, which has failed.
func (cond Cond) wait() {
	switch policy {
	case PauseYield:
		v := vain.Load()
		if v < hopeless {
			// Here and not in a function of their own: the return from one
			// more call can be seen in a hand-over.
			for range pausesInCrowd {
				if pause(); cond() {
					if v > 0 {
						vain.Store(max(0, v-paid))
					}
					return
				}
			}
		}
		if !cond.pauseAlone(v) {
			cond.yield()
		}
	case Busy:
		for !cond() {
		}
	case Paused:
		for {
			if pause(); cond() {
				return
			}
		}
	case Yielding:
		for {
			if runtime.Gosched(); cond() {
				return
			}
		}
	}
}

// Pause passes the time before a loop that writes tries again. It keeps no
// count of the loop's turns, which would be state in the algorithm: under
// PauseYield it draws lots instead.
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
