package check_test

import "slices"

// A checker by brute force: it asks only what can be reached from where.

// instr writes v to r, waits until r = v, jumps if r = v, or swaps v into r and
// jumps unless that was 0.
type instr struct {
	op      byte // 'w', 'u', 'j', 's'
	r, v, k int  // k is where it jumps to
}

// program is the entry and the exit sections of two processes.
type (
	section []instr
	program struct{ entry, exit [2]section }
)

// where is a local state: the section and the instruction that is next.
type where struct {
	in byte // 'r'emainder, 'e'ntry, 'c'ritical, e'x'it
	pc int
}

type state struct {
	at  [2]where
	reg [3]int
}

// step returns the state after the next instruction of a process.
func (p *program) step(s state, i int) state {
	w := &s.at[i]
	code, inEntry := p.exit[i], w.in == 'r' || w.in == 'e'
	if inEntry {
		code = p.entry[i]
	}
	c, next := code[w.pc], w.pc+1
	old := s.reg[c.r]
	if c.op == 'w' || c.op == 's' {
		s.reg[c.r] = c.v
	}
	switch {
	case c.op == 'u' && old != c.v:
		next = w.pc
	case c.op == 'j' && old == c.v, c.op == 's' && old != 0:
		next = c.k
	}
	switch {
	case next < len(code) && inEntry:
		*w = where{'e', next}
	case next < len(code):
		*w = where{'x', next}
	case inEntry:
		*w = where{'c', 0}
	default:
		*w = where{'r', 0}
	}
	return s
}

// brute is a program with everything that it can reach.
type brute struct {
	states []state
	next   [][2]int
}

func explore(p *program) *brute {
	b := &brute{}
	number := map[state]int{}
	visit := func(s state) int {
		if _, ok := number[s]; !ok {
			number[s], b.states = len(b.states), append(b.states, s)
		}
		return number[s]
	}
	visit(state{at: [2]where{{'r', 0}, {'r', 0}}})
	for i := 0; i < len(b.states); i++ {
		b.next = append(b.next, [2]int{visit(p.step(b.states[i], 0)), visit(p.step(b.states[i], 1))})
	}
	return b
}

func (b *brute) broken() bool {
	return slices.ContainsFunc(b.states, func(s state) bool { return s.at[0].in == 'c' && s.at[1].in == 'c' })
}

// forever reports whether a fair execution can stay forever among the states
// that in holds for, by the steps that by allows.
func (b *brute) forever(in func(s state) bool, by func(from, to state, i int) bool) bool {
	ok := func(from, i int) bool {
		to := b.states[b.next[from][i]]
		return in(to) && by(b.states[from], to, i)
	}
	reach := make([][]bool, len(b.states))
	var visit func(s, at int)
	visit = func(s, at int) {
		for i := range 2 {
			if to := b.next[at][i]; ok(at, i) && !reach[s][to] {
				reach[s][to] = true
				visit(s, to)
			}
		}
	}
	for s := range b.states {
		if reach[s] = make([]bool, len(b.states)); in(b.states[s]) {
			visit(s, s)
		}
	}
	for s := range b.states {
		fair := [2]bool{}
		for t := range b.states {
			for i := range 2 {
				fair[i] = fair[i] || reach[s][t] && reach[t][s] && (b.states[t].at[i].in == 'r' ||
					ok(t, i) && (b.next[t][i] == s || reach[b.next[t][i]][s]))
			}
		}
		if fair[0] && fair[1] && reach[s][s] {
			return true
		}
	}
	return false
}

// bypass is the most entries of the other while i is in its entry section.
func (b *brute) bypass(i int) int {
	most := make([]int, len(b.states))
	for {
		changed := false
		for s := range b.states {
			for a := range 2 {
				to := b.next[s][a]
				from, after := b.states[s].at, b.states[to].at
				k := most[to]
				if a != i && after[a].in == 'c' && from[a].in != 'c' {
					k++
				}
				if from[i].in == 'e' && after[i].in == 'e' && k > most[s] {
					most[s], changed = k, true
				}
			}
		}
		if !changed {
			return slices.Max(most)
		} else if slices.Max(most) > len(b.states) {
			return -1
		}
	}
}
