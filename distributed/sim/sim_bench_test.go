package sim

import (
	"context"
	"fmt"
	"testing"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
)

// BenchmarkEvents is the cost of one event: run with -benchmem, ns/op and
// allocs/op are an event's.
func BenchmarkEvents(b *testing.B) {
	for _, c := range []struct {
		name           string
		nodes, threads int
	}{{"raymond", 31, 1}, {"raymond", 1000, 1}, {"raymond", 10_000, 1}, {"mueller", 31, 10}, {"alien-v2-pb", 31, 10}, {"ricart-agrawala", 31, 1}, {"ricart-agrawala", 1000, 1}} {
		b.Run(fmt.Sprintf("alg=%s/nodes=%d/threads=%d", c.name, c.nodes, c.threads), func(b *testing.B) {
			a, err := catalog.Find(c.name)
			if err != nil {
				b.Fatal(err)
			}
			o := Options{
				Algorithm: a, System: distributed.Config{Nodes: c.nodes, Threads: c.threads}, Load: Poisson(0.5 * 31 / float64(c.nodes)),
				Section: Fixed(10 * time.Millisecond), Delay: Uniform(0, 100*time.Millisecond), Entries: 1 << 30,
			}
			e, err := newEngine(&o)
			if err != nil {
				b.Fatal(err)
			}
			e.start()
			e.play(context.Background(), 200_000)
			b.ReportAllocs()
			b.ResetTimer()
			e.play(context.Background(), 200_000+int64(b.N))
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
