package live

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"shmbench/distributed"
)

// BenchmarkDist is the cost of a passage with every thread of every node
// asking, and the messages it takes. sync.Mutex is the measure of what the
// messages cost.
func BenchmarkDist(b *testing.B) {
	for _, c := range []struct{ nodes, threads int }{{2, 1}, {4, 1}, {4, 4}} {
		for _, a := range lasting() {
			b.Run(fmt.Sprintf("alg=%s/nodes=%d/threads=%d", a.Name, c.nodes, c.threads), func(b *testing.B) {
				s, err := Start(a, distributed.Config{Nodes: c.nodes, Threads: c.threads}, tick)
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				before := s.Messages()
				passages(b, c.nodes, c.threads, s.Locker)
				b.ReportMetric(float64(s.Messages()-before)/float64(b.N), "messages/op")
			})
		}
		b.Run(fmt.Sprintf("alg=sync-mutex/nodes=%d/threads=%d", c.nodes, c.threads), func(b *testing.B) {
			var mu sync.Mutex
			passages(b, c.nodes, c.threads, func(distributed.ID, distributed.Thread) sync.Locker { return &mu })
		})
	}
}

// passages makes b.N passages, shared among all threads, and fails b if two
// were inside at once.
func passages(b *testing.B, nodes, threads int, locker func(distributed.ID, distributed.Thread) sync.Locker) {
	var wg sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(b.N))
	inside := 0 // protected by the lock alone
	b.ResetTimer()
	for i := range distributed.ID(nodes) {
		for j := range distributed.Thread(threads) {
			l := locker(i, j)
			wg.Go(func() {
				for left.Add(-1) >= 0 {
					l.Lock()
					inside++
					l.Unlock()
				}
			})
		}
	}
	wg.Wait()
	b.StopTimer()
	if inside != b.N {
		b.Errorf("%d passages left %d marks: two were inside at once", b.N, inside)
	}
}
