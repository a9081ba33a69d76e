package symmetry

import (
	"slices"

	"shmbench/check/internal/automaton"
)

const (
	// Of more processes there are too many permutations.
	mostProcs = 6
	// mostRenamings is the most symmetries that are worth their time in each state.
	mostRenamings = 1 << 12
)

// mostGuesses returns the bound of the search for each permutation of n processes. Four processes have 24 permutations, and six
// have 720.
func mostGuesses(n int) int {
	if n <= 4 {
		return 1 << 14
	}
	return 1 << 12
}

// Of returns a group of symmetries of a model, the identity first, or nil if it has no others that
// are worth their time. A search that takes too long is given up, so there may be more.
func Of(m *automaton.Model) []Renaming {
	if m.Heap != nil || m.N > mostProcs {
		return nil
	}
	var found []Renaming
	for procs := range permutations(m.N) {
		of := renamings(m, procs, true)
		if len(of) == 0 || identity(procs) {
			of = append(of, renamings(m, procs, false)...)
		}
		if found = append(found, of...); len(found) > mostRenamings {
			break
		}
	}
	all := closed(found)
	if all == nil {
		all = closed(Fixing(found, m))
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// renamings returns symmetries with a permutation of the processes: only those that leave the initial state as it is, which
// are found with fewer guesses, or all. If there is one, all others are products of it and of those that leave the processes as they are.
func renamings(m *automaton.Model, procs []int32, fixing bool) (found []Renaming) {
	newSearch(m, procs, fixing).run(func(g *Renaming) (further bool) {
		if g.Holds(m) {
			found = append(found, *g)
		}
		return len(found) <= mostRenamings
	})
	return found
}

// permutations yields the permutations of the numbers below n, the identity first.
func permutations(n int) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		p := make([]int32, n)
		var from func(used uint64, k int) bool
		from = func(used uint64, k int) bool {
			if k == n {
				return yield(slices.Clone(p))
			}
			for i := range int32(n) {
				if used>>i&1 == 0 {
					p[k] = i
					if !from(used|1<<i, k+1) {
						return false
					}
				}
			}
			return true
		}
		from(0, 0)
	}
}

// search extends a permutation of the processes to symmetries. It follows the steps of two
// processes side by side, and guesses only what no step tells.
type search struct {
	m        *automaton.Model
	to, from Renaming  // the names, and the other way around
	bound    []*int32  // the entries of both that are set, in order
	work     []item    // whose consequences are not drawn yet
	users    [][]local // by register: the local states that access it
	guesses  int
	fixing   bool // initial states and initial values become initial ones
}

// local is a local state of a process.
type local struct{ pid, state int32 }

// item is a local state that has got a name, or a value of a register.
type item struct {
	local
	register, value int32 // -1 if it is a local state
}

func newSearch(m *automaton.Model, procs []int32, fixing bool) *search {
	s := &search{m: m, fixing: fixing, to: newRenaming(m), from: newRenaming(m), users: make([][]local, len(m.Regs))}
	for p, q := range procs {
		s.to.Procs[p], s.from.Procs[q] = q, int32(p)
	}
	for pid, p := range m.Procs {
		for i, l := range p.Local {
			if l.Reg >= 0 && int(l.Reg) < len(m.Regs) {
				s.users[l.Reg] = append(s.users[l.Reg], local{int32(pid), int32(i)})
			}
		}
	}
	return s
}

// run calls found for each symmetry, until it returns false.
func (s *search) run(found func(g *Renaming) (further bool)) {
	for p, q := range s.to.Procs {
		if len(s.m.Procs[p].Local) != len(s.m.Procs[q].Local) {
			return
		}
	}
	for p, q := range s.to.Procs {
		if s.fixing && !s.bindLocal(int32(p), s.m.Procs[p].Init, s.m.Procs[q].Init) {
			return
		}
	}
	for r, users := range s.users { // registers without accesses
		if len(users) == 0 && !s.bindRegister(int32(r), int32(r)) {
			return
		}
		for v := range s.m.Regs[r].Values {
			if len(users) == 0 && !s.bindValue(int32(r), int32(v), int32(v)) {
				return
			}
		}
	}
	s.extend(found)
}

// extend draws all consequences, guesses what is open then, and goes on with each guess.
func (s *search) extend(found func(g *Renaming) (further bool)) (further bool) {
	if !s.follow() {
		return true
	}
	guesses, open := s.open()
	if !open {
		g := s.to.clone()
		return found(&g)
	}
	mark := len(s.bound)
	for _, guess := range guesses {
		if s.guesses++; s.guesses > mostGuesses(s.m.N) {
			return true
		}
		s.work = s.work[:0]
		if guess() && !s.extend(found) {
			return false
		}
		s.undo(mark)
	}
	return true
}

func (s *search) undo(mark int) {
	for _, entry := range s.bound[mark:] {
		*entry = none
	}
	s.bound, s.work = s.bound[:mark], s.work[:0]
}

func (g *Renaming) clone() Renaming {
	out := Renaming{Procs: slices.Clone(g.Procs), Regs: slices.Clone(g.Regs)}
	for _, v := range g.Values {
		out.Values = append(out.Values, slices.Clone(v))
	}
	for _, l := range g.Locals {
		out.Locals = append(out.Locals, slices.Clone(l))
	}
	return out
}

// open returns the ways to name one thing that has no name: the initial state of a process,
// or a value of a register that has a name. The likeliest guess comes first. The values come
// before the next process, because more follows from them.
func (s *search) open() (guesses []func() bool, open bool) {
	for pid, p := range s.m.Procs {
		if s.to.Locals[pid][p.Init] == none {
			if guesses, open := s.openValue(); open {
				return guesses, true
			}
			return s.initial(int32(pid)), true
		}
	}
	return s.openValue()
}

// initial returns the ways to name the initial state of a process.
func (s *search) initial(pid int32) (guesses []func() bool) {
	q := s.to.Procs[pid]
	from, to := s.m.Procs[pid], s.m.Procs[q]
	states := []int32{to.Init}
	for k := range int32(len(to.Local)) {
		if k != to.Init && to.Local[k].Section == from.Local[from.Init].Section && alike(&from.Local[from.Init], &to.Local[k]) {
			states = append(states, k)
		}
	}
	for _, k := range states {
		if s.from.Locals[q][k] == none {
			guesses = append(guesses, func() bool { return s.bindLocal(pid, from.Init, k) })
		}
	}
	return guesses
}

// openValue returns the ways to name a value of a register.
func (s *search) openValue() (guesses []func() bool, open bool) {
	for r, q := range s.to.Regs {
		if q == none {
			continue
		}
		for v, w := range s.to.Values[r] {
			if w != none {
				continue
			}
			for w, taken := range s.from.Values[q] {
				if taken == none {
					guesses = append(guesses, func() bool { return s.bindValue(int32(r), int32(v), int32(w)) })
				}
			}
			return guesses, true
		}
	}
	return nil, false
}
