// Package watchdog tells a lock that hangs, or lets a process starve, from a
// machine that is slow.
package watchdog

import "time"

// Place is where a process is, as far as the watchdog cares.
type Place uint8

const (
	// Away: it has ended, or waits for another process of the test.
	Away Place = iota
	// Outside: in its remainder or critical section, and could go on.
	Outside
	// Inside: in its entry or exit section, where it may have to wait.
	Inside
)

// Deadline is how long no process may move, or a process may wait while others
// move, before it is the lock's fault: no lock has an excuse for so long.
const Deadline = 20 * time.Second

// Sleepers is the same for processes that all wait for one another. A process that
// waits for another one needs no time of the machine, so that a slow machine is no
// excuse.
const Sleepers = 3 * time.Second

// ticks is into how many pieces the deadline is cut. Pieces are counted and not
// the time that passed, so that a machine that slept in between is not held
// against the lock.
const ticks = 40

// Watchdog counts the ticks during which processes 0..n-1 have not moved.
type Watchdog struct {
	deadline time.Duration
	look     func(i int) (moves uint64, at Place)
	moves    []uint64
	still    []int // ticks in a row for which a process sat in the lock
	quiet    int   // ticks in a row for which no process moved
	asleep   int   // ticks in a row for which no process moved and all were seen to wait
}

// New returns a watchdog over n processes. look says how often process i has
// moved, and where it is.
func New(n int, deadline time.Duration, look func(i int) (moves uint64, at Place)) *Watchdog {
	d := &Watchdog{deadline: deadline, look: look, moves: make([]uint64, n), still: make([]int, n)}
	for i := range n {
		d.moves[i], _ = look(i)
	}
	return d
}

// Interval is the time from one Tick to the next.
func (d *Watchdog) Interval() time.Duration { return d.deadline / ticks }

// Tick looks at the processes once. It counts nothing while a process outside
// the lock could move and no process has: then the machine is slow.
func (d *Watchdog) Tick() {
	moved, outside, inside := false, false, make([]bool, len(d.moves))
	for i := range d.moves {
		moves, at := d.look(i)
		if moves != d.moves[i] {
			moved = true
		}
		if moves != d.moves[i] || at != Inside {
			d.still[i] = 0
		}
		d.moves[i], inside[i] = moves, at == Inside
		outside = outside || at == Outside
	}
	if outside && !moved {
		return
	}
	waits := false
	for i := range d.still {
		if inside[i] {
			d.still[i]++
			waits = true
		}
	}
	if d.quiet++; moved || !waits {
		d.quiet = 0
	}
}

// Hung reports whether no process has moved for the deadline.
func (d *Watchdog) Hung() bool { return d.quiet >= ticks }

// Quiet returns for how many ticks no process has moved.
func (d *Watchdog) Quiet() int { return d.quiet }

// Asleep returns for how long no process has moved and all were seen to wait. It is
// called once behind each Tick. allWait looks at the processes; it is called only
// where none has moved.
func (d *Watchdog) Asleep(allWait func() bool) time.Duration {
	if d.asleep++; d.quiet == 0 || !allWait() {
		d.asleep = 0
	}
	return time.Duration(d.asleep) * d.Interval()
}

// Starved returns the processes that have been in the lock for the deadline
// while others moved at the last tick.
func (d *Watchdog) Starved() (processes []int) {
	for i, still := range d.still {
		if d.quiet == 0 && still >= ticks {
			processes = append(processes, i)
		}
	}
	return processes
}

// Still returns for how long process i has been in the lock.
func (d *Watchdog) Still(i int) time.Duration { return time.Duration(d.still[i]) * d.Interval() }
