package knownbroken

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// TestMCSFairWriterBehindAReader: a writer that comes notes this at the reader before it, which
// goes on. The writer enters when the reader leaves.
func TestMCSFairWriterBehindAReader(t *testing.T) {
	l := newMCSFair(1)(2).(*mcsFairMutex)
	l.RLock(1)
	var m shm.Mutex = l
	p := onestep.Enter(m, 0)
	p.MustWait(t)
	require.Zero(t, l.node[1].state.Load()&mcsFairBlocked, "a successor does not block its predecessor")
	l.RUnlock(1)
	p.MustEnter(t)
	p.Leave()
	require.Zero(t, l.readers.Load())
	require.Zero(t, l.tail.Load())
}
