package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/predict"
	"shmbench/predict/compiled"
)

// A trial gets the lock of its name, and a name of no lock is an error.
func TestFind(t *testing.T) {
	m, err := predict.New("test", "sockets=2,cores=4", predict.CoresFirst, "intel")
	require.NoError(t, err)
	for _, name := range []string{"bakery/lamport", "queue/ticket", "queue/mcs-released", "numa/hbo"} {
		a, err := find(compiled.Trial{Lock: name, Machine: m})
		require.NoError(t, err)
		require.Equal(t, name, a.Name)
	}
	_, err = find(compiled.Trial{Lock: "queue/none", Machine: m})
	require.EqualError(t, err, `no lock "queue/none"`)
}
