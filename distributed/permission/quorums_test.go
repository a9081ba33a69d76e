package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
)

func TestQuorumsIntersect(t *testing.T) {
	for n := 2; n <= 150; n++ {
		require.NoError(t, CheckQuorums(Grid(n), n))
		quorums := Quorums(n)
		require.NoError(t, CheckQuorums(quorums, n))
		for i, q := range quorums {
			require.Contains(t, q, distributed.ID(i))
		}
	}
}

func TestPlanesWhereTheyExist(t *testing.T) {
	orders := map[int]int{7: 2, 13: 3, 21: 4, 31: 5, 57: 7, 73: 8, 91: 9, 133: 11, 183: 13, 273: 16}
	for n := 2; n <= 273; n++ {
		q, exists := orders[n]
		lines := Plane(n)
		require.Equal(t, exists, lines != nil, "n = %d", n)
		if exists {
			require.NoError(t, CheckQuorums(lines, n))
			require.Len(t, lines[0], q+1)
		}
	}
}

func TestCheckQuorumsRefuses(t *testing.T) {
	for says, q := range map[string][][]distributed.ID{
		"2 quorums for 3 nodes: one a node":                            {{0}, {0}},
		"the quorum of node 1 is empty":                                {{0}, {}, {0}},
		"the quorum of node 2 has node 3, which is none of 0..2":       {{0}, {0}, {3}},
		"the quorum of node 0 has node 1 twice":                        {{1, 1}, {1}, {1}},
		"the quorums of nodes 0 and 2 do not intersect: [0 1] and [2]": {{0, 1}, {1, 2}, {2}},
	} {
		_, err := Maekawa.New(distributed.Config{Nodes: 3, Threads: 1, Quorums: q})
		require.EqualError(t, err, says)
	}
}

func TestQuorumsByName(t *testing.T) {
	for _, n := range []int{2, 7, 10, 31} {
		for _, name := range []string{"grid", "tree"} {
			q, err := ParseQuorums(name, n)
			require.NoError(t, err)
			require.NoError(t, CheckQuorums(q, n))
			for i := range q {
				if name == "tree" && n%2 == 0 && i == n-1 {
					require.NotContains(t, q[i], distributed.ID(i), "who has no vote")
				} else {
					require.Contains(t, q[i], distributed.ID(i))
				}
			}
		}
	}
	q, err := ParseQuorums("plane", 7)
	require.NoError(t, err)
	require.Equal(t, Plane(7), q)
	_, err = ParseQuorums("plane", 8)
	require.ErrorContains(t, err, "no projective plane of 8 points")
}

func TestParseQuorumsByHand(t *testing.T) {
	got, err := ParseQuorums("0,1; 1,2;2,0", 3)
	require.NoError(t, err)
	require.Equal(t, [][]distributed.ID{{0, 1}, {1, 2}, {2, 0}}, got)
	_, err = ParseQuorums("0,1;;2", 3)
	require.EqualError(t, err, `quorums "0,1;;2": they are plane, grid, tree, or lists of nodes separated by semicolons, such as 0,1;1,2;2,0`)
}
