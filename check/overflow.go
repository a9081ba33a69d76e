package check

import (
	"context"
	"fmt"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// buildWords returns a fresh machine with the lock for n processes, in which
// integer types of the given kinds have that many bits.
func (s *subject) buildWords(ctx context.Context, n int, words map[types.BasicKind]int) (*interp.Machine, error) {
	m, c, err := s.constructor(ctx, words)
	if err != nil {
		return nil, err
	}
	if s.mixed {
		m.Mix()
	}
	err = m.Build(c, n)
	s.modes, s.unmade = m.Modes(), m.Unmade()
	return m, err
}

// constructor returns a fresh machine and the function that builds the lock on it.
// Packages are initialised, and cards listed, once for words of the same widths.
func (s *subject) constructor(ctx context.Context, words map[types.BasicKind]int) (*interp.Machine, *interp.Closure, error) {
	widths := fmt.Sprint(words)
	m := s.initialised[widths]
	if m == nil {
		m = interp.New(ctx, s.prog)
		m.Word(words)
		m.Memory(s.mem)
		if err := m.Init(); err != nil {
			return nil, nil, err
		}
	}
	c, err := s.find(m)
	if err != nil {
		return m, c, err
	}
	if s.initialised == nil {
		s.initialised = map[string]*interp.Machine{}
	}
	s.initialised[widths] = m
	return m.Fork(ctx), c, nil
}

// overflowed is what was found of a lock with narrow words.
type overflowed struct {
	lock   *model.Lock // nil if it could not be learned
	report *Overflow
}

// overflow checks a lock again with the words that grow without bound taken
// modulo the least power of two above n, which makes them bounded. It returns
// nil if none grow, where the stores are without their fences, and where there are
// readers: their numbers share a word with bits that must not be cut off. What was found
// of the algorithm that the lock is a variant of is true of it too if the automata
// are the same with narrow words as well.
func overflow(ctx context.Context, x *explored, of *overflowed, o Options) (*overflowed, error) {
	if len(x.lock.Unbounded) == 0 || o.Passages > 0 || o.TSO || x.mixed && slices.ContainsFunc(x.modes, shm.Mode.Reads) {
		return nil, nil
	}
	width := bits.Len(uint(x.n))
	words := map[types.BasicKind]int{}
	var names []string
	for _, k := range x.lock.Unbounded {
		if words[k] == 0 {
			words[k] = width
			names = append(names, types.Typ[k].Name())
		}
	}
	slices.Sort(names)
	build := func(ctx context.Context, n int) (*interp.Machine, error) { return x.buildWords(ctx, n, words) }
	opts := model.Options{Explore: x.opts, Memory: x.mem, Marks: x.marks}
	if of != nil && of.lock != nil {
		if like, err := model.Like(ctx, build, of.lock, opts); err == nil && like != nil {
			return of, nil
		}
	}
	lock, err := model.Learn(ctx, build, x.n, opts)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	out := &Overflow{Modulo: 1 << width, Words: strings.Join(names, ", "),
		MutualExclusion: Unknown, DeadlockFreedom: Unknown, StarvationFreedom: Unknown}
	switch {
	case err != nil: // with words so narrow, New itself may fail or count in vain
		out.Omitted = err.Error()
		return &overflowed{report: out}, nil
	case lock.Passages > 0:
		out.Omitted = "other words grow without bound then"
		return &overflowed{report: out}, nil
	}
	wide, err := exploreAs(ctx, x.subject, lock, x.opts)
	if err != nil {
		return nil, err
	}
	narrow := wide.complete()
	if narrow.stopped != nil {
		out.Omitted = narrow.stopped.Error()
	}
	out.States, out.Exhausted = narrow.graph.States, narrow.graph.Exhausted
	_, bad := narrow.graph.Bad[explore.Exclusion]
	out.MutualExclusion = narrow.unless(bad)
	if narrow.graph.Exhausted {
		space := narrow.spaceOf(narrow.graph)
		out.DeadlockFreedom = narrow.unless(space.Deadlock() != nil)
		starves := false
		for pid := range x.n {
			starves = starves || space.Stays(pid, interp.Entry, x.lockers()...) != nil
		}
		out.StarvationFreedom = narrow.unless(starves)
	}
	lock.Sys, lock.Graph = nil, nil // its automata are what is compared
	return &overflowed{lock, out}, ctx.Err()
}
