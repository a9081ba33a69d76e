package check_test

import (
	"fmt"
	"slices"

	"shmbench/check"
	"shmbench/shm"
)

// A third checker by brute force, of programs with all calls: 'p' jumps if giveUp returns true, and 'n'
// publishes a node that it has allocated. No process reads the node, so the step changes nothing. A call
// that may fail fails if it jumps behind its end.
type modeProgram struct {
	program               // Lock and Unlock
	modes   []shm.Mode    // Exclusive and others
	enter   [5][2]section // by mode
	runlock [2]section
}

type passage struct {
	where
	mode   shm.Mode
	gaveUp bool
}

type modeState struct {
	at  [2]passage
	reg [3]int
}

// steps returns the states after the next instruction of a process, which decides what
// it can.
func (p *modeProgram) steps(s modeState, i int) (all []modeState) {
	w := s.at[i]
	switch w.in {
	case 'r':
		for _, mode := range p.modes {
			all = append(all, p.do(s, i, passage{where{'e', 0}, mode, false})...)
		}
		return all
	case 'c':
		w.where = where{'x', 0}
	}
	return p.do(s, i, w)
}

func (p *modeProgram) code(w passage, i int) section {
	switch {
	case w.in == 'e' && w.mode != shm.Exclusive:
		return p.enter[w.mode][i]
	case w.in == 'e':
		return p.entry[i]
	case w.mode.Reads():
		return p.runlock[i]
	}
	return p.exit[i]
}

func (p *modeProgram) do(s modeState, i int, w passage) []modeState {
	code := p.code(w, i)
	c, old := code[w.pc], s.reg[code[w.pc].r]
	to := func(pc int, gaveUp bool) modeState {
		switch {
		case pc < len(code):
			s.at[i] = passage{where{w.in, pc}, w.mode, gaveUp}
		case w.in == 'e' && pc == len(code):
			s.at[i] = passage{where{'c', 0}, w.mode, false}
		default:
			s.at[i] = passage{where: where{'r', 0}}
		}
		return s
	}
	if c.op == 'p' {
		return []modeState{to(w.pc+1, false), to(c.k, true)}
	}
	if c.op == 'w' || c.op == 's' {
		s.reg[c.r] = c.v
	}
	switch {
	case c.op == 'u' && old != c.v:
		return []modeState{to(w.pc, w.gaveUp)}
	case c.op == 'j' && old == c.v, c.op == 's' && old != 0:
		return []modeState{to(c.k, w.gaveUp)}
	}
	return []modeState{to(w.pc+1, w.gaveUp)}
}

// modeBrute is a program with everything that it can reach.
type modeBrute struct {
	p      *modeProgram
	states []modeState
	next   [][2][]int
}

func exploreModes(p *modeProgram) *modeBrute {
	b := &modeBrute{p: p}
	number := map[modeState]int{}
	visit := func(s modeState) int {
		if _, ok := number[s]; !ok {
			number[s], b.states = len(b.states), append(b.states, s)
		}
		return number[s]
	}
	visit(modeState{at: [2]passage{{where: where{'r', 0}}, {where: where{'r', 0}}}})
	for k := 0; k < len(b.states); k++ {
		var next [2][]int
		for i := range next {
			for _, to := range p.steps(b.states[k], i) {
				next[i] = append(next[i], visit(to))
			}
		}
		b.next = append(b.next, next)
	}
	return b
}

func (b *modeBrute) some(such func(s modeState) bool) bool {
	return slices.ContainsFunc(b.states, such)
}

// cycles calls f for each set of states, among those that in holds for, whose states reach
// one another by the steps that by allows. steps says which processes make steps within the
// set.
func (b *modeBrute) cycles(in func(s modeState) bool, by func(from, to modeState, i int) bool, f func(set []int, steps [2]bool)) {
	edges, back := make([][]int, len(b.states)), make([][]int, len(b.states))
	each := func(s int, f func(i, to int)) {
		for i, next := range b.next[s] {
			for _, to := range next {
				if in(b.states[s]) && in(b.states[to]) && by(b.states[s], b.states[to], i) {
					f(i, to)
				}
			}
		}
	}
	for s := range b.states {
		each(s, func(_, to int) { edges[s], back[to] = append(edges[s], to), append(back[to], s) })
	}
	seen, set := make([]bool, len(b.states)), make([]int, len(b.states))
	var order []int
	var forth func(s int)
	forth = func(s int) {
		if !seen[s] {
			seen[s] = true
			for _, to := range edges[s] {
				forth(to)
			}
			order = append(order, s)
		}
	}
	for s := range b.states {
		forth(s)
	}
	var members []int
	var collect func(s, number int)
	collect = func(s, number int) {
		if set[s] == 0 {
			set[s] = number
			members = append(members, s)
			for _, from := range back[s] {
				collect(from, number)
			}
		}
	}
	for k, s := range slices.Backward(order) {
		members = nil
		collect(s, k+1)
		steps := [2]bool{}
		for _, m := range members {
			each(m, func(i, to int) { steps[i] = steps[i] || set[to] == set[m] })
		}
		if steps[0] || steps[1] {
			f(members, steps)
		}
	}
}

// forever reports whether a fair execution can stay forever among states.
func (b *modeBrute) forever(in func(s modeState) bool, by func(from, to modeState, i int) bool) (can bool) {
	b.cycles(in, by, func(set []int, steps [2]bool) {
		for i := range steps {
			steps[i] = steps[i] || slices.ContainsFunc(set, func(s int) bool { return b.states[s].at[i].in == 'r' })
		}
		can = can || steps[0] && steps[1]
	})
	return can
}

// spins reports whether process i can make steps forever among states.
func (b *modeBrute) spins(i int, in func(s modeState) bool) (can bool) {
	b.cycles(in, always, func(_ []int, steps [2]bool) { can = can || steps[i] })
	return can
}

func always(modeState, modeState, int) bool { return true }

// bypass is the most entries of the other, but by RLock, while i is in Lock, or -1.
func (b *modeBrute) bypass(i int) int {
	waits := func(s modeState) bool { return s.at[i].in == 'e' && s.at[i].mode == shm.Exclusive }
	entries := func(s, to modeState) int {
		if to.at[1-i].in == 'c' && s.at[1-i].in != 'c' && !to.at[1-i].mode.Reads() {
			return 1
		}
		return 0
	}
	cycle, cycles := make([]int, len(b.states)), 0
	b.cycles(waits, always, func(set []int, _ [2]bool) {
		cycles++
		for _, s := range set {
			cycle[s] = cycles
		}
	})
	most := make([]int, len(b.states))
	for changed := true; changed; {
		changed = false
		for s, from := range b.states {
			for _, to := range slices.Concat(b.next[s][0], b.next[s][1]) {
				switch k := entries(from, b.states[to]); {
				case !waits(from) || !waits(b.states[to]):
				case k > 0 && cycle[s] > 0 && cycle[s] == cycle[to]:
					return -1
				case most[to]+k > most[s]:
					most[s], changed = most[to]+k, true
				}
			}
		}
	}
	return slices.Max(most)
}

// fails reports whether a call in a mode that process i begins in a state can fail, with
// steps of others if they may make any, and in states that in holds for.
func (b *modeBrute) fails(s modeState, i int, mode shm.Mode, others bool, in func(s modeState) bool) bool {
	seen := map[modeState]bool{}
	var visit func(s modeState) bool
	visit = func(s modeState) bool {
		if seen[s] || !in(s) || s.at[i].in != 'e' {
			return in(s) && s.at[i].in == 'r'
		}
		seen[s] = true
		return slices.ContainsFunc(b.p.steps(s, i), visit) || others && slices.ContainsFunc(b.p.steps(s, 1-i), visit)
	}
	return in(s) && slices.ContainsFunc(b.p.do(s, i, passage{where{'e', 0}, mode, false}), visit)
}

// verdicts puts what both checkers can tell in one line.
func (b *modeBrute) verdicts() string {
	during := func(i int, in byte, modes ...shm.Mode) func(modeState) bool {
		return func(s modeState) bool {
			return s.at[i].in == in && (modes == nil || slices.Contains(modes, s.at[i].mode))
		}
	}
	some := func(such func(i int) bool) bool { return such(0) || such(1) }
	each := func(such func(i int) bool) [2]bool { return [2]bool{such(0), such(1)} }
	inside := func(together bool) bool {
		return b.some(func(s modeState) bool {
			return s.at[0].in == 'c' && s.at[1].in == 'c' && together == (s.at[0].mode.Reads() && s.at[1].mode.Reads())
		})
	}
	first, second := b.bypass(0), b.bypass(1)
	bypass := max(first, second)
	if min(first, second) < 0 {
		bypass = -1
	}
	text := fmt.Sprintf("broken %t, deadlock %t, starved %v, stuck %t, bypass %d", inside(false),
		some(func(i int) bool {
			return b.forever(during(i, 'e', shm.Exclusive, shm.Shared), func(from, to modeState, a int) bool {
				return from.at[a].in == 'c' || to.at[a].in != 'c'
			})
		}),
		each(func(i int) bool { return b.forever(during(i, 'e', shm.Exclusive), always) }),
		some(func(i int) bool { return b.forever(during(i, 'x'), always) }), bypass)
	if slices.Contains(b.p.modes, shm.Shared) {
		text += fmt.Sprintf(", together %t, starved readers %v, concurrent %t", inside(true),
			each(func(i int) bool { return b.forever(during(i, 'e', shm.Shared), always) }),
			!some(func(i int) bool {
				return b.spins(i, func(s modeState) bool {
					return during(i, 'e', shm.Shared)(s) && (s.at[1-i].in == 'r' || s.at[1-i].mode.Reads())
				})
			}))
	}
	if tries := slices.DeleteFunc(slices.Clone(b.p.modes), func(m shm.Mode) bool { return !m.Tries() }); len(tries) > 0 {
		tried := func(such func(mode shm.Mode) bool) bool { return slices.ContainsFunc(tries, such) }
		idle := func(s modeState) bool { return s.at[0].in == 'r' && s.at[1].in == 'r' }
		text += fmt.Sprintf(", no effect %t, wait-free try %t, strong %t",
			!some(func(i int) bool {
				return b.some(func(s modeState) bool {
					return idle(s) && tried(func(mode shm.Mode) bool { return b.fails(s, i, mode, false, func(modeState) bool { return true }) })
				})
			}),
			!some(func(i int) bool { return b.spins(i, during(i, 'e', tries...)) }),
			!some(func(i int) bool {
				return b.some(func(s modeState) bool {
					return s.at[i].in == 'r' && tried(func(mode shm.Mode) bool {
						return b.fails(s, i, mode, true, func(s modeState) bool {
							other := s.at[1-i]
							return other.in != 'c' && other.in != 'x' || !other.mode.Conflicts(mode)
						})
					})
				})
			}))
	}
	if slices.Contains(b.p.modes, shm.Until) {
		text += fmt.Sprintf(", wait-free abort %t", !some(func(i int) bool {
			return b.spins(i, func(s modeState) bool { return during(i, 'e', shm.Until)(s) && s.at[i].gaveUp })
		}))
	}
	return text
}

func modeVerdicts(r *check.Report) string {
	text, m := verdicts(r), r.Modes
	if m.ReadersTogether != "" {
		starved := [2]bool{}
		for _, pid := range m.StarvedReaders {
			starved[pid] = true
		}
		text += fmt.Sprintf(", together %t, starved readers %v, concurrent %t", m.ReadersTogether.Holds(), starved, m.ConcurrentReaders.Holds())
	}
	if m.NoEffect != "" {
		text += fmt.Sprintf(", no effect %t, wait-free try %t, strong %t", m.NoEffect.Holds(), m.WaitFreeTry.Holds(), m.StrongTry.Holds())
	}
	if m.WaitFreeAbort != "" {
		text += fmt.Sprintf(", wait-free abort %t", m.WaitFreeAbort.Holds())
	}
	return text
}
