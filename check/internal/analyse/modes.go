package analyse

import (
	"slices"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Spins returns a cycle on which process pid makes a step. In the states of
// the cycle pid is in its entry section, and such holds for them. Without such
// a cycle it returns nil: then the process is in such states for a bounded
// number of its own steps, whatever the others do. The cycle need not be fair.
func (s *Space) Spins(pid int, such func(id uint32) bool) *Lasso {
	sub := Part{In: func(id uint32) bool { return s.Section(id, pid) == interp.Entry && such(id) }}
	var best *Lasso
	polls := func(id uint32) bool { return s.steps(id, pid, func(_ int, to uint32) bool { return to == id }) }
	for id := range uint32(s.G.States) {
		if sub.In(id) && polls(id) {
			best = &Lasso{states: []uint32{id}, least: id}
			break
		}
	}
	o := s.orders[pid]()
	for _, c := range o.comps {
		if c.section != interp.Entry || best != nil && best.least < c.least {
			continue
		}
		within := slices.DeleteFunc(o.states(c), func(id uint32) bool { return !sub.In(id) })
		s.components(within, sub, func(comp []uint32, member func(uint32) bool) {
			if len(comp) > 1 && slices.ContainsFunc(comp, func(id uint32) bool {
				return s.steps(id, pid, func(a int, to uint32) bool { return sub.Has(id, a, to) && member(to) })
			}) {
				best = nearer(best, &Lasso{states: slices.Clone(comp), least: slices.Min(comp)})
			}
		})
	}
	if best != nil {
		best.sub, best.unfair, best.own = sub, true, pid
	}
	return best
}

// SpinsIn is Spins in passages that such holds for.
func (s *Space) SpinsIn(pid int, such func(Passage) bool) *Lasso {
	return s.Spins(pid, func(id uint32) bool { return such(s.passage(id, pid)) })
}

// SpinsAmongReaders is Spins in mode Shared, while all processes in passages are readers.
// The passage of a writer lasts until everything that it has stored is in memory:
// with store buffers, an execution counts from a state on in which they are empty.
func (s *Space) SpinsAmongReaders(pid int) *Lasso {
	readers := func(id uint32) bool {
		return s.making(id, s.busy(id), func(p Passage) bool { return !p.Mode.Reads() }) == 0
	}
	waits := func(id uint32) bool { return s.passage(id, pid).Mode == shm.Shared }
	if s.Parties == s.N {
		return s.Spins(pid, func(id uint32) bool { return waits(id) && readers(id) })
	}
	t := explore.NewTrail(s.G, func(id uint32) bool { return readers(id) && !s.buffered(id) })
	t.Follow(func(from uint32, actor int, to uint32) bool {
		if readers(to) {
			t.Step(from, actor, to)
		}
		return false
	})
	l := s.Spins(pid, func(id uint32) bool { return waits(id) && t.Has(id) })
	if l != nil {
		l.prefix = func() []int {
			from, path := t.Path(l.least)
			return append(s.G.Path(from), path...)
		}
	}
	return l
}

// ReadTogether returns the first state in which two processes are in critical
// sections as readers.
func (s *Space) ReadTogether() (id uint32, ok bool) {
	for id := range uint32(s.G.States) {
		in := s.making(id, s.in(interp.Critical, id), func(p Passage) bool { return p.Mode.Reads() })
		if in&(in-1) != 0 {
			return id, true
		}
	}
	return 0, false
}

// Failure is an execution in which a TryLock or TryRLock of a process fails. The call begins
// in the state From. Path is the actors that step from there on.
type Failure struct {
	Pid  int
	Mode shm.Mode
	From uint32
	Path []int
}

// tries reports whether a process is about to begin a TryLock or TryRLock.
func (s *Space) tries(id uint32, pid int) bool {
	return s.Section(id, pid) == interp.Remainder && s.passage(id, pid).Mode.Tries()
}

// LoneFailure returns a nearest failure in which no process is in a passage when the
// TryLock begins, and no other process makes a step. It returns nil if there is none.
func (s *Space) LoneFailure() *Failure {
	for id := range uint32(s.G.States) {
		if s.busy(id) != 0 || s.buffered(id) {
			continue
		}
		for pid := range s.N {
			if s.tries(id, pid) {
				if path, fails := s.uncontendedCall(id, pid); fails {
					return &Failure{pid, s.passage(id, pid).Mode, id, path}
				}
			}
		}
	}
	return nil
}

// buffered reports whether a party that is no process has a step to make.
func (s *Space) buffered(id uint32) bool {
	for p := s.N; p < s.Parties; p++ {
		if s.steps(id, p, func(int, uint32) bool { return true }) {
			return true
		}
	}
	return false
}

// uncontendedCall has one process make its call while the others make no step. The process decides
// nothing on the way. When it has to wait, its store buffer makes a step.
func (s *Space) uncontendedCall(id uint32, pid int) (path []int, fails bool) {
	met := map[uint32]bool{}
	for at := id; !met[at]; {
		met[at] = true
		a := pid
		if s.G.Next(at, a) == explore.None && s.Parties > s.N {
			a = pid + s.N
		}
		if at = s.G.Next(at, a); at == explore.None {
			return nil, false
		}
		path = append(path, a)
		switch s.Section(at, pid) {
		case interp.Critical:
			return nil, false
		case interp.Remainder:
			if len(path) > 0 && !s.tries(at, pid) {
				return path, true
			}
		}
	}
	return nil, false
}

// WeakFailure returns a failure with a shortest path in which, from beginning to end, no
// other process is in its critical or exit section. If the process would be a reader, other
// readers may be there. It returns nil if there is none.
func (s *Space) WeakFailure() (best *Failure) {
	for pid := range 2 * s.N {
		mode := []shm.Mode{shm.Try, shm.TryShared}[pid/s.N]
		if f := s.weakFailure(pid%s.N, mode); f != nil && (best == nil || f.From < best.From) {
			best = f
		}
	}
	return best
}

func (s *Space) weakFailure(pid int, mode shm.Mode) *Failure {
	free := func(id uint32) bool {
		there := (s.in(interp.Critical, id) | s.in(interp.Exit, id)) &^ (1 << pid)
		return s.making(id, there, func(p Passage) bool { return p.Mode.Conflicts(mode) }) == 0
	}
	tries := func(id uint32) bool {
		return s.passage(id, pid).Mode == mode && s.Section(id, pid) <= interp.Entry
	}
	t := explore.NewTrail(s.G, func(id uint32) bool {
		return tries(id) && s.Section(id, pid) == interp.Remainder && free(id) && !s.buffered(id)
	})
	last, actor, _, failed := t.Follow(func(from uint32, actor int, to uint32) bool {
		switch {
		case !free(to):
		case tries(to):
			t.Step(from, actor, to)
		case s.Section(to, pid) == interp.Remainder && !t.Has(to):
			return true
		}
		return false
	})
	if !failed {
		return nil
	}
	from, path := t.Path(last)
	return &Failure{pid, mode, from, append(path, actor)}
}
