package knownbroken

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAndersonKimShadow: alone a process goes the fast way, until one has come by
// SLOW2; after that none ever does.
func TestAndersonKimShadow(t *testing.T) {
	l := newAndersonKimHidden(3)
	fast := func() int {
		count := 0
		for range 10 {
			l.Lock(1)
			if l.way[1].fast {
				count++
			}
			l.Unlock(1)
		}
		return count
	}
	require.Equal(t, 10, fast())
	l.infast.Store(true) // another is on the fast way
	l.Lock(0)
	require.True(t, l.way[0].slow2)
	l.infast.Store(false)
	l.Unlock(0)
	require.Equal(t, 0, fast())
}
