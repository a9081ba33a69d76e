package fast

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

func newAndersonKim(t *testing.T) *AndersonKimMutex {
	l, err := NewAndersonKim(3, petersons, shm.Padded)
	require.NoError(t, err)
	return l
}

// Lines 15 and 16: alone a process goes the fast way each time, under one name after
// another.
func TestAndersonKimNames(t *testing.T) {
	l := newAndersonKim(t)
	for passage := range 7 {
		l.Lock(1)
		require.True(t, l.way.At(1).fast)
		name := passage % 3
		require.True(t, l.nameTaken.At(name).Load())
		l.Unlock(1)
		require.False(t, l.nameTaken.At(name).Load())
		require.Equal(t, free(uint32(passage+1)%3), l.y.Load())
		require.Equal(t, l.y.Load(), l.reset.Load())
	}
}

// Lines 5 and 25: who finds the fast way in use goes the other, and opens it if it can.
func TestAndersonKimSlowOpens(t *testing.T) {
	l := newAndersonKim(t)
	l.infast.Store(1)
	l.Lock(2)
	require.False(t, l.way.At(2).fast)
	require.True(t, l.obstacle.At(2).Load())
	l.Unlock(2)
	require.Equal(t, free(1), l.y.Load())
	l.nameTaken.At(1).Store(true)
	l.Lock(2)
	l.Unlock(2)
	require.Equal(t, closed(0), l.y.Load(), "the name is taken")
	require.Equal(t, closed(1), l.reset.Load())
	l.Lock(2)
	require.False(t, l.way.At(2).fast)
	require.False(t, l.obstacle.At(2).Load(), "y was not free")
	l.Unlock(2)
}
