package graph_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/graph"
)

// list is a graph by the ends of each node's edges.
type list [][]uint32

func (l list) graph() graph.Graph {
	return graph.Graph{Nodes: len(l), Edges: func(node uint32, to []uint32) []uint32 { return append(to, l[node]...) }}
}

// distances tells, by brute force, how many edges a shortest walk of at least
// one edge has between any two nodes; 0 if there is none.
func (l list) distances() [][]int {
	d := make([][]int, len(l))
	for from := range l {
		d[from] = make([]int, len(l))
		for at, steps := []uint32{uint32(from)}, 1; len(at) > 0; steps++ {
			var further []uint32
			for _, node := range at {
				for _, to := range l[node] {
					if to != graph.None && d[from][to] == 0 {
						d[from][to] = steps
						further = append(further, to)
					}
				}
			}
			at = further
		}
	}
	return d
}

// drawn draws a graph, sparse or dense, with some edges missing.
func drawn(rnd *rand.Rand) list {
	l := make(list, 1+rnd.IntN(12))
	for node := range l {
		for range rnd.IntN(4) {
			to := uint32(rnd.IntN(len(l)))
			if rnd.IntN(5) == 0 {
				to = graph.None
			}
			l[node] = append(l[node], to)
		}
	}
	return l
}

// TestComponents holds the components of random graphs, and of parts of them,
// against what can be reached from where.
func TestComponents(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1972, 2016))
	for range 3000 {
		whole := drawn(rnd)
		in := func(node uint32) bool { return node%3 != 0 }
		part := make(list, len(whole))
		for node, ends := range whole {
			if in(uint32(node)) {
				part[node] = slices.DeleteFunc(slices.Clone(ends), func(to uint32) bool { return to != graph.None && !in(to) })
			}
		}
		holdComponents(t, whole, whole.graph(), func(uint32) bool { return true })
		holdComponents(t, part, whole.graph().Within(in), in)
	}
}

func holdComponents(t *testing.T, l list, g graph.Graph, in func(uint32) bool) {
	t.Helper()
	d := l.distances()
	order := map[uint32]int{}
	k := 0
	g.Components(func(component []uint32, member func(uint32) bool) {
		for _, node := range component {
			require.NotContains(t, order, node)
			order[node] = k
		}
		for node := range l {
			require.Equal(t, slices.Contains(component, uint32(node)), member(uint32(node)), "%v", l)
		}
		k++
	})
	for a := range uint32(len(l)) {
		if !in(a) {
			require.NotContains(t, order, a)
			continue
		}
		require.Contains(t, order, a)
		for b := range uint32(len(l)) {
			if in(b) {
				require.Equal(t, a == b || d[a][b] > 0 && d[b][a] > 0, order[a] == order[b], "%d and %d of %v", a, b, l)
				require.True(t, d[a][b] == 0 || order[b] <= order[a], "%d leads to %d in %v", a, b, l)
			}
		}
	}
	cyclic := map[uint32]bool{}
	g.OnCycles(func(node uint32) { cyclic[node] = true })
	for node := range uint32(len(l)) {
		require.Equal(t, d[node][node] > 0, cyclic[node], "%d of %v", node, l)
	}
}

// follow takes the edges of a walk and returns the nodes on the way.
func follow(t *testing.T, l list, at uint32, edges []int) []uint32 {
	t.Helper()
	nodes := []uint32{at}
	for _, edge := range edges {
		at = l[at][edge]
		require.NotEqual(t, graph.None, at)
		nodes = append(nodes, at)
	}
	return nodes
}

// TestWalks: walks are as short as can be, and tours meet what can be met.
func TestWalks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1981, 1))
	tours := 0
	for range 1000 {
		l := drawn(rnd)
		g, d := l.graph(), l.distances()
		for from := range uint32(len(l)) {
			for goal := range uint32(len(l)) {
				edges, end := g.Walk(from, func(node uint32, edge int, to uint32) bool { return to == goal })
				require.Len(t, edges, d[from][goal], "from %d to %d in %v", from, goal, l)
				if edges != nil {
					require.Equal(t, goal, end)
					require.Equal(t, goal, follow(t, l, from, edges)[len(edges)])
				}
			}
		}
		edges, end := g.Path(0, func(uint32) bool { return true })
		require.Empty(t, edges)
		require.Zero(t, end)

		g.Components(func(component []uint32, member func(uint32) bool) {
			var demands []func(uint32, int) bool
			can := make([]bool, 4)
			for k := range can { // some can be met by edge k, some by being where k says
				demands = append(demands, func(node uint32, edge int) bool { return edge == k || int(node)%5 == k })
				for _, node := range component {
					can[k] = can[k] || int(node)%5 == k || k < len(l[node]) && l[node][k] != graph.None && member(l[node][k])
				}
			}
			tour := g.Within(member).Tour(component[0], demands)
			nodes := follow(t, l, component[0], tour)
			require.Equal(t, component[0], nodes[len(nodes)-1], "it is closed")
			for k, met := range demands {
				got := met(nodes[0], graph.Staying)
				for i, edge := range tour {
					require.True(t, member(nodes[i]))
					got = got || met(nodes[i], edge) || met(nodes[i+1], graph.Staying)
				}
				require.Equal(t, can[k], got, "demand %d by %v in %v", k, tour, l)
			}
			if len(tour) > 1 {
				tours++
			}
		})
	}
	require.Greater(t, tours, 100)
}

// TestNoPath: a path that is not there is a mistake of the caller's.
func TestNoPath(t *testing.T) {
	require.Panics(t, func() { list{{0}, {}}.graph().Path(0, func(node uint32) bool { return node == 1 }) })
}
