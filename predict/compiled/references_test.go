package compiled

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/twin"
	"shmbench/shm"
)

// TestCoherence: which accesses to a register are remote, one after the other.
func TestCoherence(t *testing.T) {
	c := newCoherence(2)
	for _, a := range []struct {
		process int
		op      twin.Op
		now     References // of the process
	}{
		{0, twin.OpLoad, References{}}, {0, twin.OpStore, References{}}, // nothing is shared yet
		{1, twin.OpLoad, References{1, 1}}, {1, twin.OpLoad, References{1, 1}},
		{0, twin.OpLoad, References{}}, {0, twin.OpStore, References{1, 1}}, {0, twin.OpSwap, References{2, 1}},
		{1, twin.OpCompareAndSwap, References{2, 2}}, {1, twin.OpLoad, References{2, 2}}, {1, twin.OpStore, References{3, 2}},
		{0, twin.OpLoad, References{3, 2}},
	} {
		c.access(a.process, 8, a.op)
		require.Equal(t, a.now, c.now[a.process], a)
	}
	c.begin(0)
	c.access(0, 8, twin.OpAdd)
	require.Equal(t, References{1, 1}, c.now[0])
	require.Equal(t, References{3, 2}, c.most)
}

// TestGrowth: processes in the model refute a logarithm, and a constant, for the ticket lock,
// whose references grow with the number of processes. The right formula stands.
func TestGrowth(t *testing.T) {
	m := machine()
	m.Topology = "sockets=2,cores=32"
	for _, procs := range []int{16, 64} {
		for _, c := range []struct {
			f       shm.Formula
			refuted bool
		}{{shm.Linear(1, 2), false}, {shm.Const(6), true}, {shm.Logarithmic(1, 3), true}, {shm.Formula{}, false}} {
			a := ticketSpec
			a.Claims.References.WriteBack = &c.f
			r, err := Run(t.Context(), a, Trial{Machine: m, Workload: Workload{Procs: procs}, Options: Options{Passages: 5, Seed: 1}})
			require.NoError(t, err)
			if c.refuted {
				require.Regexp(t, `^a passage made \d+ remote memory references \(cc write-back\), the specification says at most \d+ \(`, r.Violated)
				continue
			}
			require.Empty(t, r.Violated, "%v with %d processes", c.f, procs)
			require.Greater(t, r.References.WriteBack, procs/2)
		}
	}
}
