package graph_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/graph"
)

// TestMaxRatio compares the greatest quotient with that of all simple cycles of random graphs.
func TestMaxRatio(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	unbounded, none, fractions := 0, 0, 0
	for range 3000 {
		l := drawn(rnd)
		if len(l) > 6 {
			l = smaller(l, 6)
		}
		costs, counts := map[[2]int]int{}, map[[2]int]int{}
		for node, ends := range l {
			for edge := range ends {
				costs[[2]int{node, edge}], counts[[2]int{node, edge}] = rnd.IntN(4), rnd.IntN(3)
			}
		}
		weigh := func(node uint32, edge int, _ uint32) (int, int) {
			key := [2]int{int(node), edge}
			return costs[key], counts[key]
		}
		num, den, from, cycle := l.graph().MaxRatio(weigh)
		wantNum, wantDen, endless := bruteRatio(l, weigh)
		if endless {
			unbounded++
			require.Zero(t, den)
			require.Positive(t, num)
		} else {
			require.Equal(t, wantNum*den, num*wantDen, l)
			require.Equal(t, wantDen == 0, den == 0, l)
		}
		if cycle == nil {
			none++
			require.Zero(t, wantDen)
			continue
		}
		at, cost, count := from, 0, 0
		for _, edge := range cycle {
			c, k := weigh(at, edge, l[at][edge])
			cost, count, at = cost+c, count+k, l[at][edge]
		}
		require.Equal(t, from, at, "a cycle")
		if den > 0 {
			require.Equal(t, num*count, cost*den)
		} else {
			require.Zero(t, count)
			require.Positive(t, cost)
		}
		if den > 1 {
			fractions++
		}
	}
	require.Greater(t, min(unbounded, none, fractions), 50)
}

// smaller returns the first nodes of a graph, and the edges between them.
func smaller(l list, n int) list {
	l = l[:n]
	for _, ends := range l {
		for i, to := range ends {
			if to != graph.None && int(to) >= n {
				ends[i] = graph.None
			}
		}
	}
	return l
}

// bruteRatio finds the greatest quotient of simple cycles, which are as good as any; the denominator
// is 0 if no cycle counts.
func bruteRatio(l list, weigh func(uint32, int, uint32) (int, int)) (num, den int, endless bool) {
	on := make([]bool, len(l))
	var walk func(first, at uint32, cost, count int)
	walk = func(first, at uint32, cost, count int) {
		on[at] = true
		for edge, to := range l[at] {
			if to == graph.None || to < first {
				continue
			}
			c, k := weigh(at, edge, to)
			switch {
			case to == first && count+k == 0:
				endless = endless || cost+c > 0
			case to == first:
				if den == 0 || (cost+c)*den > num*(count+k) {
					num, den = cost+c, count+k
				}
			case !on[to]:
				walk(first, to, cost+c, count+k)
			}
		}
		on[at] = false
	}
	for first := range uint32(len(l)) {
		walk(first, first, 0, 0)
	}
	return num, den, endless
}
