package model

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
)

// canonical is the form of a lock's model that is equal for two models which differ
// only in how registers, values and states are numbered. Registers and values are in
// the order of their names. The states of a process are in the order in which a search
// breadth first finds them, value by value.
type canonical struct {
	text string
	// The numbers in the model: by the place in the form, of a register, of each value
	// of a register, and of each state of a process.
	regs   []int32
	values [][]int32
	states [][]int32
}

// canonicalOf returns the canonical form of a lock's model. It returns nil if two
// registers, or two values of one, have the same name, or if a state cannot be reached.
func canonicalOf(lock *Lock) *canonical {
	m, names := lock.Model, lock.Learner.M.Names()
	c, text := &canonical{}, &strings.Builder{}
	registers, values := make([]string, len(m.Regs)), make([][]string, len(m.Regs))
	for r, reg := range m.Regs {
		registers[r], values[r] = named(names, reg.At, reg.Values)
	}
	regs, ok := byName(registers)
	c.regs = regs
	for _, r := range regs {
		order, distinct := byName(values[r])
		c.values, ok = append(c.values, order), ok && distinct
		fmt.Fprintf(text, "%q:", registers[r])
		for _, v := range order {
			fmt.Fprintf(text, " %q", values[r][v])
		}
		fmt.Fprintln(text)
	}
	for pid, p := range m.Procs {
		states := c.process(text, p, func(members []int32) []token.Pos { return lock.Learner.Places(pid, members) })
		c.states, ok = append(c.states, states), ok && len(states) == len(p.Local)
	}
	if c.text = text.String(); !ok {
		return nil
	}
	return c
}

// byName returns the numbers of names in the order of the names, and whether all names
// differ.
func byName(names []string) (order []int32, distinct bool) {
	for i := range names {
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(names[a], names[b]) })
	return order, len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(names)
}

// places returns the place of each number in an order.
func places(order []int32) map[int32]int {
	of := map[int32]int{automaton.Unknown: automaton.Unknown}
	for i, number := range order {
		of[number] = i
	}
	return of
}

// process writes the automaton of a process, and returns its states in the order of the
// form. lines tells where in the source the learned states are that were merged.
func (c *canonical) process(text *strings.Builder, p *automaton.Proc, lines func(members []int32) []token.Pos) []int32 {
	register := places(c.regs)
	var value []map[int32]int
	for _, order := range c.values {
		value = append(value, places(order))
	}
	order := []int32{p.Init}
	state := places(order)
	for i := 0; i < len(order); i++ {
		l := &p.Local[order[i]]
		fmt.Fprintln(text, register[l.Reg], l.Section, l.Mode, l.GaveUp, l.Kind, l.Passages, automaton.Unlined(l.Mark), stopsAt(l.Fault),
			lines(p.Members[order[i]]), len(l.Moves))
		if len(l.Moves) == 0 {
			continue
		}
		for _, v := range c.values[register[l.Reg]] {
			m := l.Moves[v]
			if _, found := state[m.State]; !found {
				state[m.State] = len(order)
				order = append(order, m.State)
			}
			fmt.Fprintln(text, state[m.State], value[register[l.Reg]][m.Value])
		}
	}
	return order
}

// stopsAt is where and how a process stops with a fault. What the fault says may differ
// between locks that do the same.
func stopsAt(f *interp.Fault) any {
	if f == nil {
		return nil
	}
	return []any{f.Pos, f.Refused, f.Endless, f.Open}
}

// numbered returns a model with the numbers of another one that has the same canonical
// form.
func (c *canonical) numbered(m *automaton.Model, as *canonical, other *automaton.Model) *automaton.Model {
	out := &automaton.Model{N: m.N, Regs: make([]automaton.Reg, len(m.Regs))}
	for i, r := range c.regs {
		from, to := m.Regs[r], &out.Regs[as.regs[i]]
		*to = automaton.Reg{At: from.At, Decided: from.Decided,
			Values: make([]interp.Value, len(from.Values)), Numbers: make([]int32, len(from.Values))}
		for k, v := range c.values[i] {
			to.Values[as.values[i][k]], to.Numbers[as.values[i][k]] = from.Values[v], from.Numbers[v]
		}
	}
	for pid, p := range other.Procs {
		proc := &automaton.Proc{Init: p.Init, Local: p.Local, Members: make([][]int32, len(p.Local))}
		for i, s := range c.states[pid] {
			proc.Members[as.states[pid][i]] = m.Procs[pid].Members[s]
		}
		out.Procs = append(out.Procs, proc)
	}
	return out
}
