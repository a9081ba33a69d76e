package peterson

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// Line 7: a process that leaves hands the priority over if it has it, and leaves it where it
// is otherwise.
func TestAttiyaWelchHandsOver(t *testing.T) {
	l, err := NewAttiyaWelch(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	for _, i := range []int{0, 1} {
		for priority := range uint32(2) {
			l.priority.Store(priority)
			l.Lock(i)
			require.Equal(t, priority, l.priority.Load())
			l.Unlock(i)
			require.EqualValues(t, 1-i, l.priority.Load())
			require.Zero(t, l.want[i].Load())
		}
	}
}
