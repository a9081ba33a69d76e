package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A passage is contended if its process waited for another one.
func TestContention(t *testing.T) {
	var c Contention
	require.Zero(t, c.Enter(1, 5), "no process has left before")
	c.Leave(1, 10)
	require.Zero(t, c.Enter(2, 11), "process 2 came after process 1 had left")
	c.Leave(2, 20)
	require.Zero(t, c.Enter(2, 15), "a process does not wait for itself")
	c.Leave(2, 30)
	require.EqualValues(t, 1, c.Enter(1, 29), "process 1 came before process 2 left")
	c.Leave(1, 40)
	require.EqualValues(t, 2, c.Enter(2, 31))
	require.EqualValues(t, 2, c.Count())
}
