package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/internal/fields"
)

// naive is a state of a system as a naive explorer keeps it: the nodes
// themselves, no automata, no numbers.
type naive struct {
	nodes  []distributed.Node
	status []byte // by place: idle, waiting or inside
	left   []int
	chans  [][]distributed.Message // by from·n+to
}

func (s naive) clone() naive {
	c := naive{status: slices.Clone(s.status), left: slices.Clone(s.left), chans: make([][]distributed.Message, len(s.chans))}
	for _, p := range s.nodes {
		c.nodes = append(c.nodes, fields.Clone(p))
	}
	for k, ch := range s.chans {
		for _, m := range ch {
			c.chans[k] = append(c.chans[k], m.Clone())
		}
	}
	return c
}

func (s naive) key() string {
	var b []byte
	for _, p := range s.nodes {
		b = fmt.Appendf(b, "%x;", fields.Append(nil, p))
	}
	b = fmt.Append(b, s.status, s.left)
	for _, ch := range s.chans {
		for _, m := range ch {
			b = fmt.Appendf(b, "%x,", m.AppendWire(nil))
		}
		b = append(b, ';')
	}
	return string(b)
}

// act lets node i act in a copy of s.
func (s naive) act(i int, threads int, change func(naive), act func(distributed.Node, *distributed.Out)) naive {
	c := s.clone()
	change(c)
	var out distributed.Out
	act(c.nodes[i], &out)
	for _, t := range out.Grants {
		c.status[i*threads+int(t)] = 2
	}
	for _, m := range out.Messages {
		k := i*len(c.nodes) + int(m.To)
		c.chans[k] = append(c.chans[k], m)
	}
	return c
}

// count explores a with FIFO channels and counts states, steps, and the steps to
// the state that is farthest from the first.
func count(t *testing.T, a *distributed.Algorithm, n, threads, requests int) (states, steps, depth int) {
	nodes, err := a.New(distributed.Config{Nodes: n, Threads: threads})
	require.NoError(t, err)
	first := naive{nodes: nodes, status: make([]byte, n*threads), left: slices.Repeat([]int{requests}, n*threads), chans: make([][]distributed.Message, n*n)}
	nothing := func(naive) {}
	for i := range n {
		first = first.act(i, threads, nothing, func(p distributed.Node, out *distributed.Out) { p.Start(out) })
	}
	far := map[string]int{first.key(): 0}
	todo := []naive{first}
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		depth = far[s.key()]
		visit := func(c naive) {
			steps++
			k := c.key()
			if _, seen := far[k]; !seen {
				far[k] = depth + 1
				todo = append(todo, c)
			}
		}
		for at, status := range s.status {
			i, th := at/threads, distributed.Thread(at%threads)
			switch {
			case status == 0 && s.left[at] > 0:
				visit(s.act(i, threads, func(c naive) { c.status[at], c.left[at] = 1, c.left[at]-1 },
					func(p distributed.Node, out *distributed.Out) { p.Request(th, out) }))
			case status == 2:
				visit(s.act(i, threads, func(c naive) { c.status[at] = 0 },
					func(p distributed.Node, out *distributed.Out) { p.Release(th, out) }))
			}
		}
		for k, ch := range s.chans {
			if len(ch) > 0 {
				visit(s.act(k%n, threads, func(c naive) { c.chans[k] = c.chans[k][1:] },
					func(p distributed.Node, out *distributed.Out) { p.Receive(ch[0].Clone(), out) }))
			}
		}
	}
	return len(far), steps, depth
}

// The automata, the numbering and the compact states change no count.
func TestCountsAreThoseOfANaiveExplorer(t *testing.T) {
	for _, name := range []string{"ricart-agrawala", "maekawa", "suzuki-kasami", "raymond", "mueller", "alien-v2-pb"} {
		a := find(t, name)
		for _, s := range []struct{ nodes, threads, requests int }{{2, 1, 2}, {2, 2, 1}, {3, 1, 1}} {
			states, steps, depth := count(t, a, s.nodes, s.threads, s.requests)
			r := mustExplore(t, a, s.nodes, explore.Model{Threads: s.threads, Requests: s.requests, FIFO: true})
			require.Equal(t, states, r.States, "%s %v", name, s)
			require.Equal(t, steps, r.Steps, "%s %v", name, s)
			require.Equal(t, depth, r.Depth, "%s %v", name, s)
		}
	}
}
