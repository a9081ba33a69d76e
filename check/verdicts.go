package check

import (
	"fmt"
	"strings"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// section tells the analyses what a process is doing in a state.
func (c *checking) section(state []uint64, pid int) interp.Section {
	return c.sys.Local(state, pid).Section
}

// crashes looks at where processes cannot go on, and returns why if that is
// because the code cannot be modelled.
func (c *checking) crashes() (refused *interp.Fault) {
	id, ok := c.g.Bad[explore.Crash]
	if !ok {
		c.r.PanicFreedom = c.unless(false)
		return nil
	}
	for pid := range c.r.N {
		if f := c.sys.Local(c.g.State(id), pid).Fault; f != nil {
			if f.Refused {
				return f
			}
			if open := c.refusedToo(); open != nil {
				// What comes after that is not known.
				g := *c.g
				g.Exhausted, c.r.Exhausted = false, false
				c.g, c.space, c.r.stopped = &g, nil, open.Error()
			}
			c.r.PanicFreedom = Violated
			c.explain(PanicFreedom, fmt.Sprintf("process %d: %v", pid, f), c.path(id), nil)
			break
		}
	}
	return nil
}

// refusedToo returns the first fault of what cannot be modelled, if there is
// one beside faults of the lock's own.
func (c *checking) refusedToo() *interp.Fault {
	for id := range c.g.States {
		for pid := range c.r.N {
			if f := c.sys.Local(c.g.State(uint32(id)), pid).Fault; f != nil && f.Refused {
				return f
			}
		}
	}
	return nil
}

// unless is the verdict on a property of which a violation was, or was not,
// found in what has been visited.
func (c *checking) unless(violated bool) Verdict {
	switch {
	case violated:
		return Violated
	case c.g.Exhausted:
		return c.r.holds()
	}
	return Unknown
}

func (c *checking) safety() {
	id, ok := c.g.Bad[explore.Exclusion]
	if c.r.MutualExclusion = c.unless(ok); ok {
		var in []int
		for pid := range c.r.N {
			if c.sys.Local(c.g.State(id), pid).Section == interp.Critical {
				in = append(in, pid)
			}
		}
		c.explain(MutualExclusion, fmt.Sprintf("%s are in their critical sections at once", processes(in)), c.path(id), nil)
	}
	id, ok = c.g.Bad[explore.Race]
	if c.r.DataRaceFreedom = c.unless(ok); ok {
		c.explain(DataRaceFreedom, c.racers(id), c.path(id), nil)
	}
}

// processes lists processes in words.
func processes(pids []int) string {
	if len(pids) == 1 {
		return fmt.Sprintf("process %d", pids[0])
	}
	return "processes " + list(strings.Fields(strings.Trim(fmt.Sprint(pids), "[]")))
}

func (c *checking) liveness() {
	lasso := c.space.Deadlock()
	c.r.DeadlockFreedom = c.unless(lasso != nil)
	c.explainLasso(DeadlockFreedom, "nobody ever enters again, though somebody is trying", lasso)

	c.waits = make([][]bool, c.r.N)
	var starved, stuck *analyse.Lasso
	exitWaits := false
	for pid := range c.r.N {
		c.waits[pid] = make([]bool, len(c.lock.Model.Procs[pid].Local))
		entry := c.space.Stays(pid, interp.Entry, func(id uint32) { c.waits[pid][c.sys.Procs[pid].Of(c.g.State(id))] = true })
		if entry != nil {
			c.r.Starved = append(c.r.Starved, pid)
			if starved == nil {
				starved = entry
			}
		}
		exit := c.space.Stays(pid, interp.Exit, func(uint32) { exitWaits = true })
		if exit != nil && stuck == nil {
			stuck = exit
			c.explainLasso(ExitProgress, fmt.Sprintf("process %d stays in its exit section for ever", pid), exit)
		}
	}
	c.r.ExitProgress = c.unless(stuck != nil)
	c.r.StarvationFreedom = c.unless(starved != nil)
	if starved != nil {
		c.explainLasso(StarvationFreedom, fmt.Sprintf("process %d stays in its entry section for ever", c.r.Starved[0]), starved)
	}
	c.r.ExitWaitFree = c.unless(exitWaits)
}

// order decides who can pass whom.
func (c *checking) order() {
	c.r.BypassFromStart, _, _ = c.bypass(true)
	if !c.doorways() {
		c.r.FCFS = NoDoorway
		return
	}
	most, pid, lasso := c.bypass(false)
	if c.r.Bypass = most; lasso != nil {
		c.explainLasso(BoundedBypass, fmt.Sprintf("process %d, past its doorway, is passed for ever", pid), lasso)
	}
	o := c.space.Overtaking()
	if c.r.FCFS = c.unless(o != nil); o != nil {
		c.explain(FirstComeFirstServed, fmt.Sprintf("process %d enters before process %d, which had ended its doorway before %d began", o.Second, o.First, o.Second),
			append(c.space.Path(o.From), o.Path...), nil)
	}
}

// bypass returns the most critical sections of others that can begin while a
// process waits; if there is no bound, for which process, and the cycle.
func (c *checking) bypass(fromStart bool) (most *int, pid int, lasso *analyse.Lasso) {
	most = new(int)
	for pid := range c.r.N {
		k, lasso := c.space.Bypass(pid, fromStart)
		if lasso != nil {
			return &k, pid, lasso
		}
		*most = max(*most, k)
	}
	return most, 0, nil
}
