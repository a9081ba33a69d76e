package check

import (
	"fmt"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/internal/graph"
)

// local tells the analyses what a process is doing in a state.
func (c *checking) local(state []uint64, pid int) (interp.Section, bool) {
	l := c.sys.Local(state, pid)
	return l.Section, l.Mark&c.doorway() != 0
}

// doorway is the mark of local states past the doorway: the card's, or else
// the longest wait-free beginning of the entry section.
func (c *checking) doorway() int {
	if c.card != nil && c.card.Claims.Doorway != "" {
		return automaton.PastDoorway
	}
	return automaton.PastWaitFree
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
			c.r.PanicFreedom = Violated
			c.explain(PanicFreedom, fmt.Sprintf("process %d: %v", pid, f), c.path(id), nil)
			break
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
		return Holds
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

func processes(pids []int) string {
	s := ""
	for i, p := range pids {
		switch {
		case i == 0:
			s = fmt.Sprintf("processes %d", p)
		case i == len(pids)-1:
			s += fmt.Sprintf(" and %d", p)
		default:
			s += fmt.Sprintf(", %d", p)
		}
	}
	return s
}

func (c *checking) liveness() {
	lasso := c.space.Deadlock()
	c.r.DeadlockFreedom = c.unless(lasso != nil)
	c.explainLasso(DeadlockFreedom, "nobody ever enters again, though somebody is trying", lasso)

	var starved, stuck *analyse.Lasso
	for pid := range c.r.N {
		if l := c.space.Starvation(pid); l != nil {
			c.r.Starved = append(c.r.Starved, pid)
			if starved == nil {
				starved = l
			}
		}
		if l := c.space.StuckExit(pid); l != nil && stuck == nil {
			stuck = l
			c.explainLasso(ExitProgress, fmt.Sprintf("process %d stays in its exit section for ever", pid), l)
		}
	}
	c.r.ExitProgress = c.unless(stuck != nil)
	c.r.StarvationFreedom = c.unless(starved != nil)
	if starved != nil {
		c.explainLasso(StarvationFreedom, fmt.Sprintf("process %d stays in its entry section for ever", c.r.Starved[0]), starved)
	}
	c.r.ExitWaitFree = c.unless(c.waits(interp.Exit))
}

// waits reports whether a process can go in circles, by itself or with the
// help of others, inside a section.
func (c *checking) waits(section interp.Section) bool {
	waits := false
	for _, p := range c.lock.Model.Procs {
		in := func(s uint32) bool { return p.Local[s].Section == section }
		graph.Graph{Nodes: len(p.Local), Edges: func(s uint32, ends []uint32) []uint32 {
			for _, m := range p.Local[s].Moves {
				ends = append(ends, uint32(m.State))
			}
			return ends
		}}.Within(in).OnCycles(func(uint32) { waits = true })
	}
	return waits
}

func (c *checking) order() {
	after, fromStart := 0, 0
	for pid := range c.r.N {
		for _, b := range []struct {
			most  *int
			start bool
		}{{&after, false}, {&fromStart, true}} {
			k, lasso := c.space.Bypass(pid, b.start)
			if *b.most == analyse.Unbounded {
				continue
			}
			if *b.most = max(*b.most, k); k == analyse.Unbounded {
				*b.most = k
				if !b.start {
					c.explainLasso(BoundedBypass, fmt.Sprintf("process %d, past its doorway, is passed for ever", pid), lasso)
				}
			}
		}
	}
	c.r.Bypass, c.r.BypassFromStart = &after, &fromStart

	o := c.space.Overtaking()
	if c.r.FCFS = c.unless(o != nil); o != nil {
		c.explain(FirstComeFirstServed, fmt.Sprintf("process %d enters before process %d, which had ended its doorway before %d began", o.Second, o.First, o.Second),
			append(c.space.Path(o.From), o.Path...), nil)
	}
	c.r.DoorwayWaitFree = c.unless(c.doorwayWaits())
}

// doorwayWaits reports whether the claimed doorway reaches into where a
// process may have to wait.
func (c *checking) doorwayWaits() bool {
	if c.doorway() != automaton.PastDoorway {
		return false
	}
	for _, p := range c.lock.Model.Procs {
		for _, l := range p.Local {
			if l.Mark&(automaton.PastDoorway|automaton.PastWaitFree) == automaton.PastWaitFree {
				return true
			}
		}
	}
	return false
}
