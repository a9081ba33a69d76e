package check_test

import (
	"fmt"
	"slices"
)

// cachedState is a state with the copies of registers in the cache of one process: 0 none,
// 1 shared, 2 exclusive.
type cachedState struct {
	crashState
	copies [3]int
}

// accessed is the instruction that a process executes next.
func (p *program) accessed(s state, i int) instr {
	if w := s.at[i]; w.in == 'c' || w.in == 'x' {
		return p.exit[i][w.pc]
	}
	return p.entry[i][s.at[i].pc]
}

func (c instr) writes() bool { return c.op == 'w' || c.op == 's' }

// cachedStep is crashStep with the cache of process i, which a crash of the process empties.
func (p *program) cachedStep(s cachedState, actor, i int, system bool) (cachedState, bool) {
	was := s.at[i].in
	to, ok := p.crashStep(s.crashState, actor, system)
	if !ok {
		return s, false
	}
	next := cachedState{to, s.copies}
	if actor >= 2 {
		if was != 'r' && to.at[i].in == 'r' {
			next.copies = [3]int{}
		}
		return next, true
	}
	c := p.accessed(s.state, actor)
	switch held := &next.copies[c.r]; {
	case actor == i && c.writes():
		*held = 2
	case actor == i:
		*held = max(*held, 1)
	case c.writes():
		*held = 0
	default:
		*held = min(*held, 1)
	}
	return next, true
}

// costs is the most remote accesses of a passage of any process: with write-through caches,
// with write-back caches and with distributed memory, -1 without a bound.
func (p *program) costs(b *crashBrute) string {
	var readers, writers [3][2]bool
	for _, s := range b.states {
		for i := range 2 {
			if c := p.accessed(s.state, i); c.writes() {
				writers[c.r][i] = true
				readers[c.r][i] = readers[c.r][i] || c.op == 's'
			} else {
				readers[c.r][i] = true
			}
		}
	}
	home := func(r int) int {
		for _, who := range [][2]bool{readers[r], writers[r]} {
			if who[0] != who[1] {
				return slices.Index(who[:], true)
			}
		}
		return -1
	}
	most := [3]int{}
	for i := range 2 {
		for k, remote := range []func(s cachedState, c instr) bool{
			func(s cachedState, c instr) bool { return c.writes() || s.copies[c.r] == 0 },
			func(s cachedState, c instr) bool { return s.copies[c.r] == 0 || c.writes() && s.copies[c.r] < 2 },
			func(_ cachedState, c instr) bool { return home(c.r) != i },
		} {
			if cost := p.cost(i, b.system, remote); cost < 0 || most[k] < 0 {
				most[k] = -1
			} else {
				most[k] = max(most[k], cost)
			}
		}
	}
	return fmt.Sprintf("through %d, back %d, dsm %d", most[0], most[1], most[2])
}

// cost is the most accesses of process i in a passage that remote holds for.
func (p *program) cost(i int, system bool, remote func(cachedState, instr) bool) int {
	number, states, next := map[cachedState]int{}, []cachedState{}, [][4]int{}
	visit := func(s cachedState) int {
		if _, ok := number[s]; !ok {
			number[s], states = len(states), append(states, s)
		}
		return number[s]
	}
	visit(cachedState{crashState: crashState{state: state{at: [2]where{{'r', 0}, {'r', 0}}}}})
	for k := 0; k < len(states); k++ {
		to := [4]int{-1, -1, -1, -1}
		for a := range to {
			if s, ok := p.cachedStep(states[k], a, i, system); ok {
				to[a] = visit(s)
			}
		}
		next = append(next, to)
	}
	most := make([]int, len(states))
	for changed := true; changed; {
		changed = false
		for s := range states {
			for a, to := range next[s] {
				if to < 0 || a != i && (states[s].at[i].in == 'r' || states[to].at[i].in == 'r') {
					continue
				}
				k := 0
				if states[to].at[i].in != 'r' {
					k = most[to]
				}
				if a == i && remote(states[s], p.accessed(states[s].state, i)) {
					k++
				}
				if k > most[s] {
					most[s], changed = k, true
				}
			}
		}
		if slices.Max(most) > len(states) {
			return -1
		}
	}
	return slices.Max(most)
}
