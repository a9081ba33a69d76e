package tournament_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/conform"
	"shmbench/internal/testkit/sample"
	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/tournament"
	"shmbench/tournament/testdata/trees"
)

// Every two-process lock of the catalog, also with released stores, is a node of
// both trees, and three processes find there what the tree's specification makes of the
// node's.
func TestEveryTwoProcessLockIsANode(t *testing.T) {
	sample.NeedsAll(t)
	src, err := check.Open(t.Context(), "", "./testdata/trees")
	require.NoError(t, err)
	require.Greater(t, len(trees.All()), 20)
	all := trees.All()
	reports, err := src.Algorithms(t.Context(), "All", all, check.Options{N: []int{3}, MaxStates: 400_000, Replays: 1_000})
	require.NoError(t, err)
	require.Len(t, reports, len(all))
	for _, r := range reports {
		assert.NoError(t, r.Err())
		assert.True(t, r.Exhausted, r.Algorithm)
	}
}

// A node can have more places than two, and any lock for so many processes.
func TestWideTrees(t *testing.T) {
	sample.NeedsAll(t)
	src, err := check.Open(t.Context(), "", "./testdata/trees")
	require.NoError(t, err)
	reports, err := src.Algorithms(t.Context(), "Wide", trees.Wide(), check.Options{N: []int{4}, MaxStates: 400_000, Replays: 1_000})
	require.NoError(t, err)
	require.Len(t, reports, len(trees.Wide()))
	for _, r := range reports {
		assert.NoError(t, r.Err())
		assert.True(t, r.Exhausted, r.Algorithm)
	}
}

// The trees pass the conformance suite: one in four, and all with -all.
func TestTreesOfTwoProcessLocksConform(t *testing.T) {
	for _, a := range sample.Of(t, trees.All(), func(a shm.Algorithm) string { return a.Name }, 4) {
		if a.Stores == shm.Sequential {
			assert.NoError(t, locktest.Verify(t.Context(), a, locktest.Options{Procs: []int{3}, Passages: 200}), a.Name)
		}
	}
}

// The trees of this package pass it too.
func TestConformance(t *testing.T) {
	for _, a := range catalog.All() {
		if strings.HasPrefix(a.Name, "tournament/") && a.VariantOf == "" {
			t.Run(a.Name, func(t *testing.T) { conform.Run(t, a) })
		}
	}
}

// A tree claims no liveness on registers on which its nodes lose exclusion: two
// processes then take one place at the next node.
func TestSpecificationsOnWeakRegisters(t *testing.T) {
	for node, tree := range map[shm.Weakest]shm.Weakest{
		{Exclusion: shm.Atomic, DeadlockFree: shm.Safe, StarvationFree: shm.Regular}: {Exclusion: shm.Atomic, DeadlockFree: shm.Atomic, StarvationFree: shm.Atomic},
		{Exclusion: shm.Safe, DeadlockFree: shm.Atomic, StarvationFree: shm.Regular}: {Exclusion: shm.Safe, DeadlockFree: shm.Atomic, StarvationFree: shm.Regular},
		{Exclusion: shm.Safe, DeadlockFree: shm.Regular}:                             {Exclusion: shm.Safe, DeadlockFree: shm.Regular},
	} {
		spec := tournament.Tournament{Shape: tournament.Minimal(2), Node: func(shm.Layout, shm.Stores) shm.Algorithm {
			return shm.Algorithm{Claims: shm.Claims{Weakest: node}}
		}}.Spec(shm.Packed, shm.Sequential)
		require.Equal(t, tree, spec.Claims.Weakest)
	}
}

// What a specification makes of its node's.
func TestSpecifications(t *testing.T) {
	node := func(shm.Layout, shm.Stores) shm.Algorithm {
		return shm.Algorithm{
			Class:  shm.Swap,
			Claims: shm.Claims{DeadlockFree: true, Bypass: shm.NMinus1, FCFS: true, Doorway: "1", Mixed: shm.Mixed{Concurrent: true}},
			Space:  shm.Space{{Name: "flag", Count: shm.N, Values: shm.NPlus1, SingleWriter: true}, {Name: "number", Count: shm.N}},
		}
	}
	tree := tournament.Tournament{Shape: tournament.Minimal(3), Node: node, Flag: "flag"}.Spec(shm.Padded, shm.Released)
	require.Equal(t, shm.Swap, tree.Class)
	require.Equal(t, shm.Padded, tree.Layout)
	require.Equal(t, shm.Released, tree.Stores)
	require.True(t, tree.Claims.DeadlockFree)
	require.False(t, tree.Claims.StarvationFree)
	require.False(t, tree.Claims.FCFS)
	require.Zero(t, tree.Claims.Mixed, "a tree has Lock and Unlock only")
	require.Equal(t, "1", tree.Claims.Doorway)
	require.Equal(t, "n-1 for n<=3, else unbounded", tree.Claims.Bypass.String())
	require.Equal(t, 2, tree.Claims.Bypass.Of(3))
	require.Equal(t, shm.Unbounded, tree.Claims.Bypass.Of(4))
	require.Len(t, tree.Space, 2)
	require.Equal(t, "3(n-1)/2 for n=3^k", tree.Space[0].Count.String())
	require.Equal(t, 12, tree.Space[0].Count.Of(9))
	require.Equal(t, 4, tree.Space[0].Values.Of(9))
	require.False(t, tree.Space[0].SingleWriter)
	require.Equal(t, "unbounded", tree.Space[1].Values.String())
	require.Len(t, tree.Invariants, 1)
}
