package check

import (
	"context"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
)

// buildWords returns a fresh machine with the lock for n processes, in which
// integer types of the given kinds have that many bits.
func (s *subject) buildWords(ctx context.Context, n int, words map[types.BasicKind]int) (*interp.Machine, error) {
	m := interp.New(ctx, s.prog)
	m.Word(words)
	if err := m.Init(); err != nil {
		return nil, err
	}
	c, err := s.find(m)
	if err != nil {
		return nil, err
	}
	return m, m.Build(c, n)
}

// overflow checks the lock again with the words that grow without bound taken
// modulo the least power of two above n, which makes them bounded.
func (c *checking) overflow() error {
	if len(c.lock.Unbounded) == 0 || c.o.Passages > 0 {
		return nil
	}
	width := bits.Len(uint(c.r.N))
	words := map[types.BasicKind]int{}
	var names []string
	for _, k := range c.lock.Unbounded {
		if words[k] == 0 {
			words[k] = width
			names = append(names, types.Typ[k].Name())
		}
	}
	slices.Sort(names)
	build := func(ctx context.Context, n int) (*interp.Machine, error) { return c.buildWords(ctx, n, words) }
	eo := c.o.explore(c.name, c.r.N)
	lock, err := model.Learn(c.ctx, build, c.r.N, model.Options{Explore: eo, Marks: c.marks})
	if ctxErr := c.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil || lock.Passages > 0 {
		return nil // not decided: with words so narrow, New itself may fail or count in vain
	}
	eo.Keep = true
	n, endless := *c, *c.r
	endless.Passages = 0
	n.r, n.lock, n.sys = &endless, lock, explore.NewSC(lock.Model)
	n.g = explore.Run(c.ctx, n.sys, eo)
	out := &Overflow{Modulo: 1 << width, Words: strings.Join(names, ", "), States: n.g.States, Exhausted: n.g.Exhausted,
		DeadlockFreedom: Unknown, StarvationFreedom: Unknown}
	_, bad := n.g.Bad[explore.Exclusion]
	out.MutualExclusion = n.unless(bad)
	if n.g.Exhausted {
		space := analyse.New(n.g, c.r.N, n.section)
		out.DeadlockFreedom = n.unless(space.Deadlock() != nil)
		starves := false
		for pid := range c.r.N {
			starves = starves || space.Stays(pid, interp.Entry, nil) != nil
		}
		out.StarvationFreedom = n.unless(starves)
	}
	c.r.Overflow = out
	return c.ctx.Err()
}
