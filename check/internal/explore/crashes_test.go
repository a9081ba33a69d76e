package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// TestCrashingLeavesSystem: the marks of crashes make states longer, and not those of the system
// without crashes.
func TestCrashingLeavesSystem(t *testing.T) {
	m := &automaton.Model{N: 2}
	for range m.N {
		m.Procs = append(m.Procs, &automaton.Proc{Local: []automaton.Local{{Reg: -1}}})
	}
	for range 4 {
		m.Regs = append(m.Regs, automaton.Reg{Values: make([]interp.Value, 1<<16)}) // together they fill a word
	}
	s := explore.NewSC(m)
	require.Equal(t, 2, explore.NewCrashing(s, explore.Crashes{}).Words())
	require.Equal(t, 1, s.Words())
}
