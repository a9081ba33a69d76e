package interp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/load"
	"shmbench/internal/testkit/sample"
)

// TestInstructions: many loops that each end in time are given up all together.
func TestInstructions(t *testing.T) {
	sample.NeedsAll(t)
	prog, err := load.Load(t.Context(), "", "shmbench/check/testdata/traps")
	require.NoError(t, err)
	m := New(t.Context(), prog)
	require.NoError(t, m.Init())
	c, err := m.Constructor("NewDelays")
	require.NoError(t, err)
	require.NoError(t, m.Build(c, 2))
	before := m.limits.left
	start := func() *State {
		st, err := m.Start(0)
		require.NoError(t, err)
		return st
	}
	require.Nil(t, start().Fault)
	one := before - m.limits.left
	require.Greater(t, one, 360_000)
	m.limits.left = 2*one + one/2
	require.Nil(t, start().Fault)
	require.Nil(t, start().Fault)
	f := start().Fault
	require.True(t, f.Open)
	require.Regexp(t, `delay\.go:\d+: \(\*Delays\)\.Lock: not run to the next access`, f.Error())
	require.True(t, start().Fault.Open, "and nothing is run any more")
	m.Freeze()
	require.Nil(t, start().Fault, "but what was learned can be run again")
}
