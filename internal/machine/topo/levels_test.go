package topo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/affinity"
)

func paths(l Levels, n int, o affinity.Order) (all [][]int) {
	for i := range n {
		all = append(all, l.Path(i, o))
	}
	return all
}

func TestPathsOfATopologyGivenByHand(t *testing.T) {
	for _, c := range []struct {
		text   string
		order  affinity.Order
		byCore [][]int
	}{
		{"sockets=2,cores=2,threads=2", affinity.ByCore, [][]int{{0}, {0}, {1}, {1}, {0}, {0}, {1}, {1}}},
		{"sockets=2,cores=2,threads=2", affinity.ByThread, [][]int{{0}, {0}, {0}, {0}, {1}, {1}, {1}, {1}}},
		{"sockets=1,dies=2,complexes=2,cores=1", affinity.ByCore, [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}}},
		{"sockets=1,cores=8,threads=2", affinity.ByCore, [][]int{{}, {}}},
		{"nodes=2,processors=1", affinity.ByCore, [][]int{{0}, {1}, {0}}},
	} {
		l, err := ParseLevels(c.text)
		require.NoError(t, err)
		require.Equal(t, c.text, l.String())
		require.ElementsMatch(t, c.byCore, paths(l, len(c.byCore), c.order), c.text)
		for i, want := range c.byCore {
			require.ElementsMatch(t, want, l.Path(i, c.order), "%s, process %d", c.text, i)
		}
	}
}

func TestBadTopologies(t *testing.T) {
	for text, says := range map[string]string{
		"":                        `"" is not a level, which is written as in sockets=2,cores=4,threads=2, from the outside in`,
		"sockets":                 `"sockets" is not a level`,
		"sockets=0":               `"sockets=0" is not a level`,
		"sockets=2,cores=x":       `"cores=x" is not a level`,
		"cores=2,cores=2":         "there are two levels called cores",
		"sockets=4096,cores=4096": "there are more than 65536 processors",
	} {
		_, err := ParseLevels(text)
		require.ErrorContains(t, err, says)
	}
}

func TestTheMachineHasAPathForEachProcess(t *testing.T) {
	path := Machine(affinity.ByCore)
	for i := range 64 {
		require.Len(t, path(i), len(path(0)))
	}
}

// TestPlaces: the word machine is this machine, and everything else a topology given by hand.
func TestPlaces(t *testing.T) {
	here, err := Places("machine", affinity.ByCore)
	require.NoError(t, err)
	machine := Machine(affinity.ByCore)
	given, err := Places("nodes=2,processors=2", affinity.ByThread)
	require.NoError(t, err)
	levels, err := ParseLevels("nodes=2,processors=2")
	require.NoError(t, err)
	for i := range 8 {
		require.Equal(t, machine(i), here(i))
		require.Equal(t, levels.Path(i, affinity.ByThread), given(i))
	}
	require.Equal(t, []int{1}, given(2))
	_, err = Places("machines", affinity.ByCore)
	require.ErrorContains(t, err, `"machines" is not a level`)
}
