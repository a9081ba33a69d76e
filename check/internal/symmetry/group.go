package symmetry

import (
	"encoding/binary"
	"slices"

	"shmbench/check/internal/automaton"
)

// Fixing returns the renamings that leave the initial state of a model as it is. Those of a group are
// a group.
func Fixing(all []Renaming, m *automaton.Model) []Renaming {
	return slices.DeleteFunc(slices.Clone(all), func(g Renaming) bool { return !g.Fixes(m) })
}

// closed returns the least group that has some renamings, the identity first. It returns nil if
// the group has more than mostRenamings.
func closed(some []Renaming) []Renaming {
	var all []Renaming
	known := map[string]bool{}
	enter := func(g Renaming) {
		if key := g.key(); !known[key] {
			known[key] = true
			all = append(all, g)
		}
	}
	for _, g := range some {
		if g.Identity() {
			enter(g)
		}
	}
	// Each member is a product of generators, as a permutation of finite order has its inverse among its powers.
	// A generator that is not a member yet at least doubles the group, so there are few.
	var generators []Renaming
	for _, g := range some {
		if known[g.key()] {
			continue
		}
		generators = append(generators, g)
		for i := 0; i < len(all); i++ {
			for _, h := range generators {
				if enter(all[i].then(&h)); len(all) > mostRenamings {
					return nil
				}
			}
		}
	}
	return all
}

// then returns the renaming that renames by g and then by h.
func (g *Renaming) then(h *Renaming) Renaming {
	out := Renaming{Procs: through(g.Procs, h.Procs), Regs: through(g.Regs, h.Regs)}
	for r, values := range g.Values {
		out.Values = append(out.Values, through(values, h.Values[g.Regs[r]]))
	}
	for pid, locals := range g.Locals {
		out.Locals = append(out.Locals, through(locals, h.Locals[g.Procs[pid]]))
	}
	return out
}

func through(first, second []int32) []int32 {
	out := make([]int32, len(first))
	for i, j := range first {
		out[i] = second[j]
	}
	return out
}

// key is equal for equal renamings.
func (g *Renaming) key() string {
	var k []byte
	for _, part := range slices.Concat([][]int32{g.Procs, g.Regs}, g.Values, g.Locals) {
		for _, j := range part {
			k = binary.AppendUvarint(k, uint64(j))
		}
	}
	return string(k)
}
