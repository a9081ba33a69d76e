package stress

import (
	"fmt"
	"time"
)

// watchdog counts the ticks for which processes have not moved.
type watchdog struct {
	r      *runner
	active []int
	at     map[int]uint64
	still  map[int]int
	quiet  int // ticks for which nobody has moved
	told   map[int]bool
}

func newWatchdog(r *runner, active []int) *watchdog {
	d := &watchdog{r: r, active: active, at: make(map[int]uint64),
		still: make(map[int]int), told: make(map[int]bool)}
	for _, id := range active {
		d.at[id] = r.procs[id].at.Load()
	}
	return d
}

// tick counts one tick and reports whether to give the processes up. Nothing
// is counted while a process outside the lock could move and has not: then
// the machine is slow.
func (d *watchdog) tick() bool {
	var moved, outside, inside bool
	for _, id := range d.active {
		if at := d.r.procs[id].at.Load(); at != d.at[id] {
			d.at[id], d.still[id], moved = at, 0, true
		} else if !d.r.procs[id].resting.Load() {
			inside = inside || inLock(at)
			outside = outside || !inLock(at)
		}
	}
	if !moved && (outside || !inside) {
		return false
	}
	d.quiet++
	if moved {
		d.quiet = 0
	}
	for _, id := range d.active {
		if !d.r.procs[id].resting.Load() && inLock(d.at[id]) {
			d.still[id]++
		}
	}
	deadline := ticks
	if d.r.tally.forbidden() != "" { // whoever is still inside has no claim to patience
		deadline = 2
	}
	if d.quiet >= deadline {
		if d.r.tally.forbidden() == "" {
			d.r.tally.note(hung, fmt.Sprintf("no process moved for %v%s", d.r.o.Deadline, d.r.whereabouts(d.active, d.since)))
		}
		return true
	}
	return moved && d.hungry()
}

// hungry looks for a process that was in the lock for the deadline while
// others moved, and reports whether to give it up.
func (d *watchdog) hungry() bool {
	for _, id := range d.active {
		if d.still[id] < ticks || d.told[id] {
			continue
		}
		d.told[id] = true
		text := fmt.Sprintf("process %d waited for %v while others entered%s", id, d.r.o.Deadline, d.r.whereabouts(d.active, d.since))
		if d.r.a.Claims.StarvationFree {
			d.r.tally.note(starved, text)
			return true
		}
		d.r.tally.note(slow, text)
	}
	return false
}

func (d *watchdog) since(id int) time.Duration {
	return time.Duration(d.still[id]) * d.r.o.Deadline / ticks
}
