package check_test

import "slices"

// A second checker by brute force, of programs on registers that are not atomic,
// written from the definitions alone: every operation, a read too, starts and
// finishes, and each write to a regular register is ordered at a step of its own
// between its start and its finish.

// operation is what a process has under way.
type operation struct {
	running bool
	// overlaps: on a safe register, a read overlaps a write, or a write another.
	overlaps bool
	ordered  bool // a write to a regular register
	may      int  // a set: what a read of a regular register may return
}

// weakState is a state between the steps of operations.
type weakState struct {
	at  [2]where
	op  [2]operation
	reg [3]int
}

// weakProgram is a program on registers that are not atomic.
type weakProgram struct {
	*program
	safe   bool
	atomic [3]bool
	ranges [3][]int
}

// at returns the instruction that a process is at, and whether it is in its entry
// section or about to begin it.
func (p *weakProgram) next(s weakState, i int) (c instr, inEntry bool) {
	w := s.at[i]
	if inEntry = w.in == 'r' || w.in == 'e'; inEntry {
		return p.entry[i][w.pc], true
	}
	return p.exit[i][w.pc], false
}

// ends returns the state in which a process has got a value from its instruction.
func (p *weakProgram) ends(s weakState, i, got int) weakState {
	c, inEntry := p.next(s, i)
	code, next := p.exit[i], s.at[i].pc+1
	if inEntry {
		code = p.entry[i]
	}
	switch {
	case c.op == 'u' && got != c.v:
		next = s.at[i].pc
	case c.op == 'j' && got == c.v, c.op == 's' && got != 0:
		next = c.k
	}
	switch {
	case next < len(code) && inEntry:
		s.at[i] = where{'e', next}
	case next < len(code):
		s.at[i] = where{'x', next}
	case inEntry:
		s.at[i] = where{'c', 0}
	default:
		s.at[i] = where{'r', 0}
	}
	s.op[i] = operation{}
	return s
}

// choice is what the scheduler may let a process do: drawn is what may come out.
type choice struct{ drawn []weakState }

// choices returns what a process may do next.
func (p *weakProgram) choices(s weakState, i int) (all []choice) {
	c, inEntry := p.next(s, i)
	writes := c.op == 'w'
	one := func(s weakState) { all = append(all, choice{[]weakState{s}}) }
	if p.atomic[c.r] {
		old := s.reg[c.r]
		if writes || c.op == 's' {
			s.reg[c.r] = c.v
		}
		one(p.ends(s, i, old))
		return all
	}
	o, _ := p.next(s, 1-i)
	other := s.op[1-i].running && o.r == c.r // what the other has under way is on the same register
	if !s.op[i].running {
		s.op[i].running = true
		if inEntry {
			s.at[i].in = 'e'
		} else {
			s.at[i].in = 'x'
		}
		s.op[i].overlaps = p.safe && other && o.op == 'w'
		if other && writes {
			s.op[1-i].overlaps = p.safe
			if o.op != 'w' && !p.safe {
				s.op[1-i].may |= 1 << c.v
			}
		}
		if !writes && !p.safe {
			s.op[i].may = 1 << s.reg[c.r]
			if other && o.op == 'w' {
				s.op[i].may |= 1 << o.v
			}
		}
		one(s)
		return all
	}
	var drawn []weakState
	switch {
	case p.safe && writes && s.op[i].overlaps:
		for _, v := range p.ranges[c.r] {
			to := s
			to.reg[c.r] = v
			drawn = append(drawn, p.ends(to, i, 0))
		}
	case p.safe && writes, writes && !s.op[i].ordered:
		s.reg[c.r] = c.v
		if s.op[i].ordered = true; p.safe {
			s = p.ends(s, i, 0)
		}
		drawn = append(drawn, s)
	case writes:
		drawn = append(drawn, p.ends(s, i, 0))
	case p.safe && s.op[i].overlaps:
		for _, v := range p.ranges[c.r] {
			drawn = append(drawn, p.ends(s, i, v))
		}
	case p.safe:
		drawn = append(drawn, p.ends(s, i, s.reg[c.r]))
	default:
		for v := range 3 {
			if s.op[i].may>>v&1 != 0 {
				drawn = append(drawn, p.ends(s, i, v))
			}
		}
	}
	return append(all, choice{drawn})
}

// weakBrute is a program with everything that it can reach: by state and process
// the choices, each with its outcomes.
type weakBrute struct {
	states []weakState
	next   [][2][][]int
}

// exploreWeak explores with the ranges that the registers turn out to have.
func exploreWeak(p *program, safe bool) *weakBrute {
	w := &weakProgram{program: p, safe: safe, ranges: [3][]int{{0}, {0}, {0}}}
	for {
		w.atomic = w.swapped()
		b := &weakBrute{}
		number := map[weakState]int{}
		visit := func(s weakState) int {
			if _, ok := number[s]; !ok {
				number[s], b.states = len(b.states), append(b.states, s)
			}
			return number[s]
		}
		visit(weakState{at: [2]where{{'r', 0}, {'r', 0}}})
		grown := false
		for k := 0; k < len(b.states); k++ {
			var next [2][][]int
			for i := range 2 {
				for _, c := range w.choices(b.states[k], i) {
					var ends []int
					for _, to := range c.drawn {
						ends = append(ends, visit(to))
					}
					next[i] = append(next[i], ends)
				}
				c, _ := w.next(b.states[k], i)
				given := c.op == 's' || c.op == 'w' && (w.atomic[c.r] || b.states[k].op[i].running)
				if given && !slices.Contains(w.ranges[c.r], c.v) {
					w.ranges[c.r], grown = append(w.ranges[c.r], c.v), true
				}
			}
			b.next = append(b.next, next)
		}
		if !grown {
			return b
		}
	}
}

// swapped returns the registers to which a swap can be made, as far as can be seen
// of one process by itself.
func (p *weakProgram) swapped() (atomic [3]bool) {
	for i := range 2 {
		code := slices.Concat(p.entry[i], p.exit[i])
		reached := make([]bool, len(code)+1)
		var follow func(pc, first int)
		follow = func(pc, first int) {
			if pc >= len(p.entry[i]) {
				first = len(p.entry[i])
			}
			if reached[pc] || pc == len(code) {
				return
			}
			reached[pc] = true
			c := code[pc]
			atomic[c.r] = atomic[c.r] || c.op == 's'
			is := slices.Contains(p.ranges[c.r], c.v)
			not := len(p.ranges[c.r]) > 1 || !is
			if c.op == 's' {
				is, not = len(p.ranges[c.r]) > 1, true
			}
			if (c.op == 'j' || c.op == 's') && is {
				follow(first+c.k, first)
			}
			if c.op == 'w' || c.op == 'u' && is || c.op == 'j' && not || c.op == 's' {
				follow(pc+1, first)
			}
		}
		follow(0, 0)
	}
	return atomic
}

func (b *weakBrute) broken() bool {
	return slices.ContainsFunc(b.states, func(s weakState) bool { return s.at[0].in == 'c' && s.at[1].in == 'c' })
}

// forever reports whether a fair execution can stay forever among the states that
// in holds for, without entering its critical section if entries is false; and
// whether one can that does not depend on what is drawn.
func (b *weakBrute) forever(in func(s weakState) bool, entries bool) (can, trap bool) {
	may := func(from, to, i int) bool {
		return in(b.states[from]) && in(b.states[to]) && (entries || b.states[from].at[i].in == 'c' || b.states[to].at[i].in != 'c')
	}
	comp := make([]int, len(b.states))
	stays := func(from, i int, ends []int, all bool) (to []int) {
		for _, end := range ends {
			if comp[end] == comp[from] && may(from, end, i) {
				to = append(to, end)
			} else if all {
				return nil
			}
		}
		return to
	}
	fair := func(all bool) bool {
		found := map[int][2]bool{}
		for s := range b.states {
			f := found[comp[s]]
			for i := range 2 {
				f[i] = f[i] || in(b.states[s]) && b.states[s].at[i].in == 'r'
				for _, ends := range b.next[s][i] {
					f[i] = f[i] || stays(s, i, ends, all) != nil
				}
			}
			if found[comp[s]] = f; f[0] && f[1] {
				return true
			}
		}
		return false
	}
	part := func(all bool) {
		comp = b.components(func(from int) (to []int) {
			for i, choices := range b.next[from] {
				for _, ends := range choices {
					to = append(to, stays(from, i, ends, all)...)
				}
			}
			return to
		})
	}
	part(false)
	can = fair(false)
	for before := -1; before != slices.Max(comp); {
		before = slices.Max(comp)
		part(true)
	}
	return can, fair(true)
}

// components numbers the strongly connected components (Kosaraju).
func (b *weakBrute) components(next func(int) []int) []int {
	var order []int
	back := make([][]int, len(b.states))
	seen := make([]bool, len(b.states))
	var visit func(s int)
	visit = func(s int) {
		seen[s] = true
		for _, to := range next(s) {
			if back[to] = append(back[to], s); !seen[to] {
				visit(to)
			}
		}
		order = append(order, s)
	}
	for s := range b.states {
		if !seen[s] {
			visit(s)
		}
	}
	comp, count := make([]int, len(b.states)), 0
	var assign func(s int)
	assign = func(s int) {
		comp[s] = count
		for _, from := range back[s] {
			if comp[from] == 0 {
				assign(from)
			}
		}
	}
	for _, s := range slices.Backward(order) {
		if comp[s] == 0 {
			count++
			assign(s)
		}
	}
	return comp
}
