package stress

import (
	"fmt"

	"shmbench/internal/run/goroutine"
	"shmbench/internal/run/watchdog"
)

// guard judges what the watchdog sees of the processes of a phase.
type guard struct {
	*watchdog.Watchdog
	r      *runner
	active []int
	noted  map[int]bool // processes whose long wait has been noted
}

func newGuard(r *runner, active []int) *guard {
	dog := watchdog.New(len(active), r.o.Deadline, func(i int) (uint64, watchdog.Place) {
		p := r.procs[active[i]]
		at := p.at.Load()
		switch {
		case p.resting.Load():
			return at, watchdog.Away
		case inLock(at):
			return at, watchdog.Inside
		}
		return at, watchdog.Outside
	})
	return &guard{Watchdog: dog, r: r, active: active, noted: make(map[int]bool)}
}

// lostPatience is for how many quiet ticks the processes are waited for once an
// outcome is forbidden: a process that is still inside then has no claim to patience.
const lostPatience = 2

// giveUp looks at the processes and reports whether to leave them behind.
func (g *guard) giveUp() bool {
	g.Tick()
	tally := &g.r.tally
	known := tally.forbidden() != "" || g.r.apart && g.r.stop.Load() // a child has seen it
	if known && g.Quiet() >= lostPatience {
		return true
	}
	if g.Hung() {
		tally.note(hung, fmt.Sprintf("no process moved for %v%s", g.r.o.Deadline, g.whereabouts()))
		return true
	}
	if quiet := g.Asleep(g.allWait); quiet >= watchdog.Sleepers {
		tally.note(hung, fmt.Sprintf("no process moved for %v, and all that take part wait%s", quiet, g.whereabouts()))
		return true
	}
	for _, i := range g.Starved() {
		if g.noted[i] {
			continue
		}
		g.noted[i] = true
		text := fmt.Sprintf("process %d waited for %v while others entered%s", g.active[i], g.r.o.Deadline, g.whereabouts())
		if !g.r.mayStarve(g.r.procs[g.active[i]]) {
			tally.note(starved, text)
			return true
		}
		tally.note(slow, text)
	}
	return false
}

// allWait reports whether all processes that take part are seen to wait.
func (g *guard) allWait() bool {
	if g.r.apart {
		return false // not seen from here
	}
	stacks := goroutine.Dump()
	for _, id := range g.active {
		p := g.r.procs[id]
		if !p.resting.Load() && !(inLock(p.at.Load()) && stacks[int(p.goroutine.Load())].Waiting()) {
			return false
		}
	}
	return true
}

// whereabouts says, a line a process, where each one is.
func (g *guard) whereabouts() string {
	stacks := goroutine.Dump()
	text := ""
	for i, id := range g.active {
		p := g.r.procs[id]
		at := p.at.Load()
		text += fmt.Sprintf("\n  process %d: in its %s section for %v, after %d passages", id, sectionNames[at%sections], g.Still(i), at/sections)
		if !g.r.apart {
			text += ": " + stacks[int(p.goroutine.Load())].String()
		}
	}
	return text
}
