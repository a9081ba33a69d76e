package check

import (
	"context"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/shm"
)

// counter tells which accesses of a lock are remote in each cost model. It explores the states with
// caches when it needs them, up to most states.
type counter struct {
	ctx  context.Context
	x    *explored.Lock
	use  *registerUse
	most int
	with map[int]*withCaches // by process; everyone is all processes
}

// everyone stands for the caches of all processes.
const everyone = -1

// withCaches has the states of a lock with caches. space is nil if there are too many.
type withCaches struct {
	sys   *explore.Cached
	space *analyse.Space
}

func newCounter(ctx context.Context, x *explored.Lock, use *registerUse, most int) *counter {
	return &counter{ctx: ctx, x: x, use: use, most: most, with: map[int]*withCaches{}}
}

// in returns a space, and a function that tells which steps from its states are remote in a model.
// The function counts the steps of one process, or of everyone. in returns false if there are too
// many states.
func (c *counter) in(m shm.RMRModel, of int) (*analyse.Space, func(id uint32, pid int) bool, bool) {
	if c.x.Graph.States > c.most {
		return nil, nil, false
	}
	if m == shm.Distributed {
		return c.x.Space, func(id uint32, pid int) bool { return c.use.remote(c.x, c.x.Space.G, id, pid) }, true
	}
	w := c.with[of]
	if w == nil {
		w = c.explore(of)
		c.with[of] = w
	}
	if w.space == nil {
		return nil, nil, false
	}
	return w.space, func(id uint32, pid int) bool { return w.sys.Remote(w.space.G.State(id), pid, m == shm.WriteBack) }, true
}

func (c *counter) explore(of int) *withCaches {
	var pids []int
	for pid := range c.x.N {
		if of == everyone || of == pid {
			pids = append(pids, pid)
		}
	}
	w := &withCaches{sys: explore.NewCached(c.x.Sys, pids...)}
	if w.sys != nil {
		w.space = exploreUpTo(c.ctx, c.x, w.sys, c.most)
	}
	return w
}

// greatest is an execution with the greatest cost over all processes.
type greatest struct {
	analyse.Attained
	pid int
}

// attain returns an execution with the greatest cost over all processes. The function measure
// returns the measure of each process. attain returns nil if no process has a cost, and false if
// there are too many states.
func (c *counter) attain(m shm.RMRModel, measure func(s *analyse.Space, pid int, remote func(uint32, int) bool) analyse.Measure) (worst *greatest, known bool) {
	for pid := range c.x.N {
		s, remote, ok := c.in(m, pid)
		if !ok {
			return nil, false
		}
		a, found := s.Attain(measure(s, pid, remote))
		if found && (worst == nil || worst.Cost != shm.Unbounded && (a.Cost == shm.Unbounded || a.Cost > worst.Cost)) {
			worst = &greatest{a, pid}
		}
	}
	return worst, true
}

// cost returns the greatest cost over all processes, or nil if there are too many states.
func (c *counter) cost(m shm.RMRModel, measure func(s *analyse.Space, pid int, remote func(uint32, int) bool) analyse.Measure) *int {
	most := new(int)
	for pid := range c.x.N {
		s, remote, ok := c.in(m, pid)
		if !ok {
			return nil
		}
		most = larger(most, s.Most(measure(s, pid, remote)))
	}
	return most
}
