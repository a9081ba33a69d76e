// Package spin is the one way in which the locks of this module wait.
//
// A wait that only reads is
//
//	spin.Until(func() bool { return !l.choosing[j].Load() })
//
// and a loop that writes before it tries again calls Pause at its back edge. The Policy says
// how a process passes the time between two polls. It is chosen once for the program.
//
// The compiler inlines Until together with its condition. So a wait whose condition holds at
// once costs as much as the hand-written test.
package spin

import (
	"math/rand/v2"
	"runtime"
)

// Cond is a condition to wait for; it reads shared registers and writes none.
type Cond func() bool

// Until returns when cond returns true. Between polls that fail, it passes the time by the
// policy in use.
//
// Its size is the largest that the compiler still inlines. So wait is a method of Cond: a
// function would exceed the compiler's budget.
func Until(cond Cond) {
	if !cond() {
		cond.wait()
	}
}

// wait is Until after the first poll, which has failed. Its loops are here and
// not in functions of their own: the return from one more call can be seen in a
// hand-over.
func (cond Cond) wait() {
	switch InUse() {
	case PauseYield:
		for range pausesBeforeYield {
			if pause(); cond() {
				return
			}
		}
		cond.yield()
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
		cond.yield()
	case Turns:
		inTurns.Load().wait(cond)
	case OSYield:
		for range pausesBeforeOSYield() {
			if pause(); cond() {
				return
			}
		}
		for {
			if osYield(); cond() {
				return
			}
		}
	}
}

// yield lets other goroutines run until cond holds.
func (cond Cond) yield() {
	for {
		if runtime.Gosched(); cond() {
			return
		}
	}
}

// Pause passes the time before a loop that writes tries again. It knows neither the condition
// of the loop nor the number of its turns.
//
//go:noinline
func Pause() {
	switch InUse() {
	case PauseYield:
		if rand.Uint32()%pausesPerYield != 0 {
			pause()
		} else {
			runtime.Gosched()
		}
	case Paused:
		pause()
	case Yielding, Turns:
		runtime.Gosched()
	case OSYield:
		if rand.Uint32()%pausesPerYield != 0 {
			pause()
		} else {
			osYield()
		}
	}
}
