package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForget: two numbers are forgotten, and the first is kept after all if
// something depends on it.
func TestForget(t *testing.T) {
	for constructor, kept := range map[string]bool{
		"NewAdds": false, "NewComputes": false, "NewCompares": false, "NewAddsAtomically": false,
		"NewBranches": true, "NewIndexes": true, "NewDivides": true, "NewShifts": true, "NewSlices": true, "NewMakes": true,
		"NewStores": true, "NewBoxes": true, "NewPublishes": true, "NewSwaps": true, "NewSwapsOld": true, "NewLooksUp": true, "NewHands": true, "NewOwnWord": true, "NewOwnSum": true,
	} {
		m := built(t, constructor, 1)
		n, k := cellOf(t, m, "n"), cellOf(t, m, "m")
		require.True(t, m.Forget([]Ptr{n, k}), constructor)
		require.Equal(t, Forgotten{n}, m.Initial(n))
		require.False(t, m.Forget([]Ptr{n, k}), "they have been forgotten already")
		passages(t, m)
		require.Equal(t, !kept, m.Forgotten(n), constructor)
		require.True(t, m.Forgotten(k), constructor)
		if kept {
			require.False(t, m.Forget([]Ptr{n}), "%s: it has been seen to matter", constructor)
			require.Equal(t, m.mem.objs[n.Obj].cells[n.Off], m.Initial(n))
		}
	}

	m := built(t, "NewDividesByZero", 1)
	require.True(t, m.Forget([]Ptr{cellOf(t, m, "n")}))
	accesses, fault := passage(t, m)
	require.Equal(t, []string{"n = (any)", "n := (any)", "n = (any)", "z = 0"}, accesses)
	require.ErrorContains(t, fault, "integer divide by zero")

	m = built(t, "NewBoxes", 1)
	n, v := cellOf(t, m, "n"), cellOf(t, m, "v")
	require.False(t, m.Forget([]Ptr{v, {}}), "it holds no number")
	m.Need(n)
	require.False(t, m.Forget([]Ptr{n}), "it is needed")
}
