package explore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/dist"
	"shmbench/dist/catalog"
	"shmbench/dist/explore"
)

// sizes are the systems that every algorithm is explored in, small enough for
// a busy machine.
var sizes = []struct{ nodes, threads, requests int }{
	{2, 1, 2}, {2, 2, 1}, {3, 1, 1},
}

func TestCatalogHolds(t *testing.T) {
	for _, a := range catalog.All {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			for _, s := range sizes {
				nodes, err := a.New(dist.Config{Nodes: s.nodes, Threads: s.threads})
				require.NoError(t, err)
				r, err := explore.Explore(context.Background(), explore.Model{
					Nodes: explore.Nodes(nodes), Threads: s.threads, Requests: s.requests, FIFO: a.Claims.FIFO, Timely: a.Claims.Timely,
				})
				require.NoError(t, err)
				for _, v := range r.Violations {
					v.WriteText(t.Output())
				}
				require.True(t, r.Holds(), "%+v", s)
				t.Logf("%+v: %d states, %d steps, depth %d", s, r.States, r.Steps, r.Depth)
			}
		})
	}
}

func find(t *testing.T, name string) *dist.Algorithm {
	t.Helper()
	a, err := catalog.Find(name)
	require.NoError(t, err)
	return a
}
