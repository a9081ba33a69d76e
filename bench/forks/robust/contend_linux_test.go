//go:build amd64 || arm64

package robust

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContendCountsDeaths: a process that takes the word learns of a death if the kernel has
// noted one. The bit for waiters stays.
func TestContendCountsDeaths(t *testing.T) {
	for _, c := range []struct {
		word, after uint32
		deaths      int
	}{
		{0, 9, 0}, {died, 9, 1}, {7 | died, 9, 1}, {7 | died | waiters, 9 | waiters, 1},
	} {
		m, p := New(1), &proc{thread: 9}
		m.word.Store(c.word)
		m.contend(p)
		require.Equal(t, c.after, m.word.Load(), "%+v", c)
		require.Equal(t, c.deaths, p.deaths, "%+v", c)
	}
}

// TestContendSleeps: a process sets the bit for waiters before it sleeps. Then it keeps this
// bit, because others may sleep, too. It counts no death if the owner lives.
func TestContendSleeps(t *testing.T) {
	m, p := New(1), &proc{thread: 9}
	m.word.Store(7)
	var wg sync.WaitGroup
	wg.Go(func() { m.contend(p) })
	for m.word.Load() != 7|waiters {
		runtime.Gosched()
	}
	m.word.Store(0)
	m.call(wake, 1)
	wg.Wait()
	require.Equal(t, uint32(9|waiters), m.word.Load())
	require.Zero(t, p.deaths)
}
