package catalog_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/shm"
)

// Checked would panic on an id that is used twice at once. Half of the
// goroutines wait on a condition variable for the others.
func TestEveryLockServesGoroutinesAndACond(t *testing.T) {
	for _, a := range catalog.All() {
		t.Run(a.Name, func(t *testing.T) {
			n := min(3, a.MaxProcs)
			m, err := a.New(n)
			require.NoError(t, err)
			lock := shm.Pooled(shm.Checked(m, n), n)
			const pairs, rounds = 6, 50
			changed := sync.NewCond(lock)
			items, taken := 0, 0
			var all sync.WaitGroup
			for range pairs {
				all.Go(func() {
					for range rounds {
						lock.Lock()
						for items == 0 {
							changed.Wait()
						}
						items--
						taken++
						lock.Unlock()
					}
				})
				all.Go(func() {
					for range rounds {
						lock.Lock()
						items++
						lock.Unlock()
						changed.Signal()
						runtime.Gosched()
					}
				})
			}
			all.Wait()
			require.Equal(t, pairs*rounds, taken)
			require.Zero(t, items)
		})
	}
}

// What a pool costs one goroutine: at most as much as the lock itself and a
// sync.Mutex more.
func BenchmarkPooledAlone(b *testing.B) {
	passages := 0
	b.Run("alg=sync-mutex/ids=none", func(b *testing.B) {
		var mu sync.Mutex
		for b.Loop() {
			mu.Lock()
			passages++
			mu.Unlock()
		}
	})
	for _, a := range catalog.All() {
		if a.VariantOf != "" || strings.HasPrefix(a.Name, "baseline/") {
			continue
		}
		n := min(4, a.MaxProcs)
		m, err := a.New(n)
		require.NoError(b, err)
		name := "alg=" + strings.ReplaceAll(a.Name, "/", "-")
		b.Run(name+"/ids=own", func(b *testing.B) {
			for b.Loop() {
				m.Lock(0)
				passages++
				m.Unlock(0)
			}
		})
		lock := shm.Pooled(m, n)
		b.Run(name+"/ids=pooled", func(b *testing.B) {
			for b.Loop() {
				lock.Lock()
				passages++
				lock.Unlock()
			}
		})
	}
}
