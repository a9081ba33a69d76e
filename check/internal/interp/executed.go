package interp

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Executed returns the functions that this machine and its forks have executed.
func (m *Machine) Executed() []*ssa.Function { return slices.Collect(maps.Keys(m.fns)) }

// Matters reports whether an instruction of an executed function has an effect.
func (m *Machine) Matters(in ssa.Instruction) bool { return m.fns[in.Parent()].relevant.instr[in] }

// Passages returns the methods by which passages begin and end.
func (m *Machine) Passages() (all []*ssa.Function) {
	for _, p := range m.methods.passages {
		all = append(all, p.enter, p.leave)
	}
	return all
}
