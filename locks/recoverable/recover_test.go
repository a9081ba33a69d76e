package recoverable

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// locks are those of the family, for two processes.
func locks(t *testing.T) map[string]shm.Recoverable {
	all := map[string]shm.Recoverable{}
	for _, spec := range []shm.Algorithm{RTAS(), RPeterson(), RPTree(), RYA(), RBakery(), RBakeryInside(), RTicket(), RCLH(), RMCS(), RJJJ()} {
		m, err := spec.New(2)
		require.NoError(t, err)
		all[spec.Name] = m.(shm.Recoverable)
	}
	return all
}

// TestRecoverWithoutACrash: Recover may be called at the start of any passage.
func TestRecoverWithoutACrash(t *testing.T) {
	for name, m := range locks(t) {
		for range 3 {
			require.Equal(t, shm.Enter, m.Recover(1), name)
			require.True(t, shm.Recover(m, 1), name)
			m.Unlock(1)
		}
	}
}

// TestReentry: a process that crashed in its critical section finds itself there, as often
// as it crashes, and the other process does not.
func TestReentry(t *testing.T) {
	for name, m := range locks(t) {
		m.Lock(0)
		for range 3 {
			require.NotEqual(t, shm.Inside, m.Recover(1), name)
			require.True(t, shm.Recover(m, 0), name)
		}
		m.Unlock(0)
		require.Equal(t, shm.Enter, m.Recover(0), name)
		require.True(t, shm.Recover(m, 1), name)
		m.Unlock(1)
	}
}

// TestSizeOfTheTree: the tree has a power of two of leaves, at least one for each process.
// The specification counts its places below the root, its inner nodes and its levels.
func TestSizeOfTheTree(t *testing.T) {
	for n, want := range map[int]struct{ places, inner, levels int }{
		1: {2, 1, 1}, 2: {2, 1, 1}, 3: {6, 3, 2}, 4: {6, 3, 2}, 5: {14, 7, 3}, 8: {14, 7, 3}, 9: {30, 15, 4},
	} {
		spec := RPTree()
		require.Equal(t, want.places, spec.Space[0].Count.At(n), "flags for %d", n)
		require.Equal(t, want.inner, spec.Space[1].Count.At(n), "turns for %d", n)
		require.Equal(t, want.levels, spec.Claims.Recovery.Reentry.At(n), "levels for %d", n)
	}
}

// TestTreeClimbsPastHeldNodes: a process that crashed on its way up keeps the nodes that it
// holds, and goes on to the root.
func TestTreeClimbsPastHeldNodes(t *testing.T) {
	l, err := NewRPTree(4)
	require.NoError(t, err)
	leaf := l.leaves + 1
	l.flag.At(leaf).Store(inside)
	require.Equal(t, shm.Enter, l.Recover(1))
	l.Lock(1)
	require.Equal(t, inside, int(l.flag.At(leaf).Load()))
	require.Equal(t, inside, int(l.flag.At(leaf/2).Load()), "the root")
	require.Equal(t, shm.Inside, l.Recover(1))
	require.Equal(t, shm.Enter, l.Recover(0), "the other process of the node")
	l.Unlock(1)
	for at := 2; at < 2*l.leaves; at++ {
		require.Equal(t, out, int(l.flag.At(at).Load()), at)
	}
}

func ExampleRTASMutex() {
	lock, err := NewRTAS(2)
	if err != nil {
		panic(err)
	}
	lock.Lock(0)
	// Process 0 crashes here, and comes back.
	fmt.Println(lock.Recover(1), lock.Recover(0))
	lock.Unlock(0)
	// Output: enter inside
}
