package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// begun returns process 0 before its first access.
func begun(t *testing.T, m *Machine) *State {
	t.Helper()
	for {
		st, err := m.Start(0)
		if err == nil {
			return st
		}
		require.ErrorIs(t, err, ErrReclassified)
	}
}

// TestDepth: calls within calls end, do not, or are given up.
func TestDepth(t *testing.T) {
	for _, depth := range []int{0, 1, 31, 33, 70, 9_000} {
		require.Nil(t, begun(t, built(t, "NewDepth", depth+1)).Fault, depth)
	}
	for depth := 25; depth < 70; depth++ {
		require.Nil(t, begun(t, built(t, "NewTwice", depth)).Fault, "the second call is not part of the first")
	}
	fault := begun(t, built(t, "NewEndlessDepth", 1)).Fault
	require.ErrorContains(t, fault, "calls itself without end")
	require.True(t, fault.Endless)
	require.False(t, fault.Refused)

	fault = begun(t, built(t, "NewDepth", 10_500)).Fault
	require.ErrorContains(t, fault, "10000 calls within calls, and no end in sight")
	require.True(t, fault.Refused)
	require.True(t, fault.Open)
}

// TestStack: calls that make an access at each level are given up.
func TestStack(t *testing.T) {
	m := built(t, "NewStack", 1)
	st, err := m.Start(0)
	depth := 0
	for ; err == nil && st.Fault == nil; depth++ {
		require.Less(t, depth, 1_000)
		st, err = m.Resume(0, st, nil)
	}
	require.NoError(t, err)
	require.Equal(t, 255, depth, "and the function that calls first")
	require.ErrorContains(t, st.Fault, "256 calls within calls with accesses between them, and no end in sight")
	require.True(t, st.Fault.Open)
}

// TestDelay: where a process passes the time by a loop or a call that has no
// effect and ends.
func TestDelay(t *testing.T) {
	for constructor, line := range map[string]int{"NewWaitsLoop": 68, "NewWaitsCall": 78, "NewWaitsNot": 0} {
		m := built(t, constructor, 1)
		_, fault := passage(t, m)
		require.Nil(t, fault)
		got := 0
		if m.Delay().IsValid() {
			_, got = m.Prog.Place(m.Delay())
		}
		require.Equal(t, line, got, constructor)
	}
}
