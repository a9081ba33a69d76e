package explore_test

import (
	"context"
	"testing"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
)

// BenchmarkExplore measures states a second, liveness included.
func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		a                        *distributed.Algorithm
		nodes, threads, requests int
	}{
		{&permission.RicartAgrawala, 3, 1, 2},
		{&token.Mueller, 3, 2, explore.Forever},
	} {
		b.Run("alg="+c.a.Name, func(b *testing.B) {
			states := 0
			for b.Loop() {
				nodes, err := c.a.New(distributed.Config{Nodes: c.nodes, Threads: c.threads})
				if err != nil {
					b.Fatal(err)
				}
				r, err := explore.Explore(context.Background(), explore.Model{Nodes: explore.Nodes(nodes), Threads: c.threads, Requests: c.requests, FIFO: true})
				if err != nil || !r.Holds() {
					b.Fatal(err, r.Violations)
				}
				states += r.States
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
		})
	}
}
