package sim

import (
	"context"
	"strconv"
	"testing"
	"time"

	"shmbench/dist"
	"shmbench/dist/catalog"
)

// BenchmarkEvents is the cost of one event: run with -benchmem, ns/op and
// allocs/op are an event's.
func BenchmarkEvents(b *testing.B) {
	for _, name := range []string{"raymond", "ricart-agrawala"} {
		for _, nodes := range []int{31, 1000} {
			b.Run("alg="+name+"/nodes="+strconv.Itoa(nodes), func(b *testing.B) {
				a, err := catalog.Find(name)
				if err != nil {
					b.Fatal(err)
				}
				o := Options{
					Algorithm: a, System: dist.Config{Nodes: nodes, Threads: 1}, Load: Poisson(0.5 * 31 / float64(nodes)),
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
}
