package interp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShares: what both processes use, and at least one writes, or use atomically, is
// shared; what one alone writes and reads is its own; the rest is neither.
func TestShares(t *testing.T) {
	m := built(t, "NewShares", 2)
	passages(t, m)
	owned := [][]Ptr{nil, nil}
	for name, want := range map[string]struct {
		shared bool
		owner  int
	}{
		"constant": {false, -1}, "both": {true, -1}, "counted": {true, -1}, "handed": {true, -1},
		"mine[0]": {false, 0}, "mine[1]": {false, 1}, "last[0]": {false, -1}, "last[1]": {false, 1},
	} {
		at := cellOf(t, m, name)
		require.Equal(t, want.shared, m.Shared(at), name)
		pid, owned1 := m.Owner(at)
		require.Equal(t, want.owner >= 0, owned1, name)
		if owned1 {
			require.Equal(t, want.owner, pid, name)
			owned[pid] = append(owned[pid], at)
		}
	}
	require.Subset(t, m.Private(0), owned[0])
	require.Subset(t, m.Private(1), owned[1])
	st, err := m.Start(1)
	require.NoError(t, err)
	require.Equal(t, Num(3), st.Private(slices.Index(m.Private(1), cellOf(t, m, "mine[1]"))), "it was written before the first access")
	require.Nil(t, st.Private(len(m.Private(1))))

	m = built(t, "NewCopies", 2)
	passages(t, m)
	require.True(t, m.Shared(cellOf(t, m, "pair[1]")), "the other process copies it")
	require.False(t, m.Shared(cellOf(t, m, "pair[0]")))

	m.Freeze()
	_, err = m.Start(0)
	require.NoError(t, err)
}

// TestFrozen: what is learned after the end of learning is not kept.
func TestFrozen(t *testing.T) {
	m := built(t, "NewShares", 2)
	m.Freeze()
	_, err := m.Start(0)
	require.ErrorIs(t, err, ErrReclassified)
	require.False(t, m.Shared(cellOf(t, m, "both")))
	_, owned := m.Owner(cellOf(t, m, "mine[0]"))
	require.False(t, owned)
}

// TestOutlives tells the locks that leave something behind for the next.
func TestOutlives(t *testing.T) {
	for constructor, want := range map[string]bool{
		"NewCountsBuilt": true, "NewNotesBuilt": true, "NewWritesGlobal": true, "NewWritesOld": true,
		"NewFresh": false, "NewShares": false, "NewNamed": false,
	} {
		m := built(t, constructor, 1)
		passages(t, m)
		require.Equal(t, want, m.Outlives(), constructor)
	}
}
