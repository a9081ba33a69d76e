package bench

import (
	"fmt"
	"slices"
	"time"

	"shmbench/shm"
)

// Workload says what the processes of a measurement do. Each goes round and
// round: remainder section, Lock, critical section, Unlock.
type Workload struct {
	// Procs is the number of processes, 1 or more.
	Procs int
	// CS is the calibrated work in the critical section, beyond the check
	// that every critical section makes. NCS is the work in the remainder
	// section.
	CS, NCS time.Duration
	// Lines is how many shared cache lines a critical section writes, beyond
	// the one of the check.
	Lines int
	// Rate, if positive, makes the loop an open one. A process does not come back when it is
	// ready but when it is due, Rate times a second on average, at exponentially distributed
	// intervals. Its last passage may not be over by then. Latency counts from the time the
	// process was due. NCS is then 0.
	Rate float64
	// Readers is the share of passages that read only, 0 to 1. They are made by RLock
	// and RUnlock where the lock has them, and by Lock and Unlock otherwise. Rate is
	// then 0.
	Readers float64
	// Execute: passages are made by Execute of shm.Delegated. Rate and Readers are then 0.
	// Without Execute, passages are made by Lock and Unlock, except those of a lock that is
	// made of a delegate: in a closed loop without readers, these are made by Execute too.
	Execute bool
	// Kills is how many times a second, on average, a process is killed with SIGKILL and
	// started again, of all processes together. The lock recovers (shm.Recoverable) and is
	// measured between processes (BetweenProcesses). Rate, Readers and Execute are then 0.
	Kills float64
	// Touch: in the warm-up and in the counted window, a critical section writes one word on a
	// cache line of its own. It reads nothing that another process wrote, and checks nothing. The
	// other windows number their passages, so their critical sections check as they do without
	// Touch. Rate, Readers and Kills are then 0.
	Touch bool
}

// numbered reports whether the critical sections of the counted window number their passages.
func (w Workload) numbered() bool { return w.Readers == 0 && !w.Touch }

// Procs returns the numbers of processes that show most on so many processors: one, a
// pair, one for each processor, and two and four times as many.
func Procs(processors int) []int {
	procs := []int{1, 2, processors, 2 * processors, 4 * processors}
	slices.Sort(procs)
	return slices.DeleteFunc(slices.Compact(procs), func(n int) bool { return n > shm.MaxProcs })
}

// The most work, written cache lines, arrivals and kills a second that make sense: longer work
// leaves too few passages to a sample, a higher rate is a closed loop, and a process takes
// milliseconds to start.
const (
	MaxWork  = time.Second
	MaxLines = 1 << 16
	MaxRate  = 1e8
	MaxKills = 1000
)

// alone is the same work for the null lock, which is for one process.
func (w Workload) alone() Workload {
	w.Procs, w.Rate, w.Kills = 1, 0, 0
	return w
}

// Validate returns an error that names the field that is out of range.
func (w Workload) Validate() error {
	switch {
	case w.Procs < 1 || w.Procs > shm.MaxProcs:
		return fmt.Errorf("%d processes: there must be 1 to %d", w.Procs, shm.MaxProcs)
	case w.CS < 0 || w.CS > MaxWork:
		return fmt.Errorf("critical section of %v: it must take 0 to %v", w.CS, MaxWork)
	case w.NCS < 0 || w.NCS > MaxWork:
		return fmt.Errorf("non-critical section of %v: it must take 0 to %v", w.NCS, MaxWork)
	case w.Lines < 0 || w.Lines > MaxLines:
		return fmt.Errorf("critical section that writes %d cache lines: it can write 0 to %d", w.Lines, MaxLines)
	case !(w.Rate >= 0 && w.Rate <= MaxRate):
		return fmt.Errorf("rate of %v arrivals per second: it must be 0 (closed loop) to %v", w.Rate, MaxRate)
	case !(w.Readers >= 0 && w.Readers <= 1):
		return fmt.Errorf("share of %v readers: it must be 0 to 1", w.Readers)
	case w.Rate > 0 && w.Readers > 0:
		return fmt.Errorf("a rate cannot be combined with readers: an open loop has writers only")
	case w.Execute && (w.Rate > 0 || w.Readers > 0):
		return fmt.Errorf("a delegate cannot be combined with a rate or readers: it has a closed loop of writers")
	case !(w.Kills >= 0 && w.Kills <= MaxKills):
		return fmt.Errorf("rate of %v kills per second: it must be 0 to %v", w.Kills, MaxKills)
	case w.Kills > 0 && (w.Rate > 0 || w.Readers > 0 || w.Execute):
		return fmt.Errorf("kills cannot be combined with a rate, readers or a delegate: they have a closed loop of writers")
	case w.Touch && (w.Rate > 0 || w.Readers > 0 || w.Kills > 0):
		return fmt.Errorf("a critical section without a check cannot be combined with a rate, readers or kills: they have no such window")
	case w.Rate > 0 && w.NCS > 0:
		return fmt.Errorf("a rate cannot be combined with work between critical sections: in an open loop the arrivals set the pace")
	}
	return nil
}
