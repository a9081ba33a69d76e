package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// TestReferences: the check refutes a formula that is too small, and one that is too large,
// for each n, and confirms the right one. A constant that is right for two processes is
// refuted by three, and so is a logarithm by four.
func TestReferences(t *testing.T) {
	sample.NeedsAll(t)
	a, err := catalog.Get("queue/ticket")
	require.NoError(t, err)
	for _, c := range []struct {
		says    shm.Formula
		refuted []int
	}{
		{shm.Linear(1, 2), nil}, {shm.Const(4), []int{3, 4}}, {shm.NPlus1, []int{2, 3, 4}}, {shm.Linear(1, 3), []int{2, 3, 4}},
		{shm.Logarithmic(1, 3), []int{4}}, {shm.Found(4, 5), nil}, {shm.Found(4, 6), []int{3}}, {shm.Formula{}, []int{2, 3, 4}}, // unbounded
	} {
		wrong := a
		wrong.Claims.References.WriteBack = &c.says
		reports, err := SourceOf(t, a.Name).Algorithms(t.Context(), "All", []shm.Algorithm{wrong}, Options{N: []int{2, 3, 4}, LockOnly: true})
		require.NoError(t, err)
		var refuted []int
		for _, r := range reports {
			if len(r.Disagreements) > 0 {
				require.Regexp(t, `^a passage makes at most \d remote memory references \(cc write-back\), the specification says`, r.Disagreements[0])
				refuted = append(refuted, r.N)
			}
		}
		require.Equal(t, c.refuted, refuted, c.says.String())
	}
}
