package spin

import (
	"runtime"
	"sync/atomic"
)

// Under PauseYield a wait first pauses between its polls: a hand-over between
// two running processes takes less than a yield. How long that can pay depends
// on whether the process waited for is running, which nobody knows; what is
// known is how many processes wait, and how often pausing has ended a wait.
// results/README.md has the measurements behind the numbers.
const (
	// pausesInCrowd is how many polls pause in any case: the time in which a
	// process that runs leaves a short critical section. pausesAlone is how
	// many more do while there are processors enough for all that wait: some
	// microseconds.
	pausesInCrowd = 8
	pausesAlone   = 256

	// A wait in a crowd that the first pauses do not end adds 1 to vain, and
	// one that they end takes paid off. At hopeless, after some milliseconds of
	// little else but the former, waits in a crowd pause no more and take turns
	// in the hall. Where turns take too long, vain becomes -reprieve, and for at
	// least as many waits there is pausing and yielding again.
	paid     = 8
	hopeless = 1 << 12
	reprieve = 1 << 14
)

var (
	// waiting is how many processes wait and have given up pausing.
	waiting atomic.Int32
	// others is how many processors there are beside a process's own.
	others atomic.Int32
	// vain is high where pausing is in vain: see hopeless.
	vain atomic.Int32
	// hall is where processes wait for their turn to poll.
	hall room
)

// pauseAlone follows the first pauses: it pauses on while there are processors
// enough, and returns whether cond came to hold. v is vain at the start of the
// wait.
func (cond Cond) pauseAlone(v int32) bool {
	free := others.Load()
	if v >= hopeless {
		// The first of those in the hall may be through its wait, and not
		// have run since: it alone makes no crowd.
		free++
	}
	for range pausesAlone {
		if waiting.Load() >= free {
			if v < hopeless {
				vain.Add(1)
			}
			return false
		}
		if pause(); cond() {
			return true
		}
	}
	return false
}

// yield lets other processes run until cond holds.
func (cond Cond) yield() {
	if waiting.Add(1) == 1 {
		others.Store(int32(min(runtime.GOMAXPROCS(0), runtime.NumCPU())) - 1)
	}
	// Deferred, as is leaving the room below, for a cond that panics: all
	// other waits of the program depend on it.
	defer waiting.Add(-1)
	// The hall's own synchronization would order what a broken lock leaves
	// unordered, and hide it from the race detector.
	for racing || vain.Load() < hopeless {
		if runtime.Gosched(); cond() {
			return
		}
	}
	cond.takeTurns(&hall)
}

// takeTurns polls in turns with the others in the room until cond holds.
func (cond Cond) takeTurns(r *room) {
	w := r.enter(max(1, int(others.Load())))
	defer r.leave(w)
	for !cond() {
		if pause(); cond() {
			return
		}
		// What cond waits for may be a process that is able to run and waits
		// for nothing but a processor.
		if runtime.Gosched(); cond() {
			return
		}
		r.pass(w)
	}
}
