package interp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFork: a lock that is built on a fork finds what packages have been initialized
// to, whatever was built on the machine's other forks, and leaves that as it was.
func TestFork(t *testing.T) {
	m := machine(t)
	c, err := m.Constructor("NewCounted")
	require.NoError(t, err)
	build := func(on *Machine) Value {
		require.NoError(t, on.Build(c, 2))
		return on.Initial(cellOf(t, on, "x"))
	}
	first := m.Fork(t.Context())
	require.Equal(t, Num(221), build(first))
	require.Equal(t, Num(221), build(m.Fork(t.Context())))
	passages(t, first)
	require.Equal(t, Num(221), build(m.Fork(t.Context())), "what processes of a lock have done is its own")
	require.Equal(t, Num(221), build(m), "nothing was built on the machine itself")
	require.Equal(t, Num(332), build(m))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err = m.Constructor("NewEndless")
	require.NoError(t, err)
	require.ErrorIs(t, m.Fork(ctx).Build(c, 2), context.Canceled)
}
