package check

import (
	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
)

// RMR is the worst-case number of remote memory references in one passage of
// one process: -1 if there is no bound, nil if it was not found out because
// the states of the caches are too many.
type RMR struct {
	// WriteThrough and WriteBack are for coherent caches. A read is remote if
	// the process has no valid copy. With write-through every write is remote;
	// with write-back only that to a register which the process does not hold
	// exclusively. An access that can write counts as a write.
	WriteThrough Cost `json:"cc_write_through"`
	WriteBack    Cost `json:"cc_write_back"`
	// DSM is for distributed shared memory without caches. A register is in
	// the memory of the one process that reads it, or else of the one that
	// writes it; if there is neither, it is remote to all.
	DSM Cost `json:"dsm"`
}

// Cost is for a process that runs alone, from an empty cache, and for one
// among all n.
type Cost struct {
	Alone *int `json:"alone"`
	Among *int `json:"among_n"`
}

// cacheStates is how many states of a lock and a cache are explored at most.
const cacheStates = 1 << 21

// remote finds the remote memory references.
func (c *checking) remote() {
	c.r.RMR = &RMR{}
	for _, m := range []struct {
		cost  *Cost
		model func(pid int, alone bool) *int
	}{
		{&c.r.RMR.WriteThrough, func(pid int, alone bool) *int { return c.cached(pid, false, alone) }},
		{&c.r.RMR.WriteBack, func(pid int, alone bool) *int { return c.cached(pid, true, alone) }},
		{&c.r.RMR.DSM, c.distributed},
	} {
		m.cost.Alone = c.worst(func(pid int) *int { return m.model(pid, true) })
		m.cost.Among = c.worst(func(pid int) *int { return m.model(pid, false) })
	}
}

// worst is the most over all processes.
func (c *checking) worst(of func(pid int) *int) *int {
	worst := 0
	for pid := range c.r.N {
		k := of(pid)
		if k == nil || *k == analyse.Unbounded {
			return k
		}
		worst = max(worst, *k)
	}
	return &worst
}

func (c *checking) cached(pid int, writeBack, alone bool) *int {
	sys := explore.NewCached(c.sys, pid, writeBack, alone)
	if sys == nil || !alone && c.g.States > cacheStates {
		return nil
	}
	return c.cost(pid, sys, sys.Remote)
}

// cost explores a system and returns the most that a passage costs in it.
func (c *checking) cost(pid int, sys explore.System, remote func([]uint64) bool) *int {
	o := c.o.explore(c.name, c.r.N)
	o.Keep, o.Progress, o.MaxStates = true, nil, cacheStates
	g := explore.Run(c.ctx, sys, o)
	if !g.Exhausted {
		return nil
	}
	k := analyse.New(g, c.r.N, c.section).Passage(pid, func(id uint32) int32 {
		if remote(g.State(id)) {
			return 1
		}
		return 0
	})
	return &k
}

// distributed counts accesses to memory that is not the process's own.
func (c *checking) distributed(pid int, alone bool) *int {
	return c.cost(pid, explore.Alone(c.sys, pid, alone), func(s []uint64) bool {
		l := c.sys.Local(s, pid)
		return l.Reg >= 0 && l.Kind != 0 && c.used[l.Reg].home() != pid
	})
}
