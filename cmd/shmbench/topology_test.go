package main

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/numa"
	"shmbench/shm"
)

func TestTopologyOfARun(t *testing.T) {
	build := func(args ...string) (shm.Mutex, error) {
		f := &runFlags{fs: flag.NewFlagSet("run", flag.ContinueOnError)}
		f.declare()
		require.NoError(t, f.fs.Parse(append(args, "-alg", "^numa/cmcsmcs$")))
		suite, err := f.suite()
		if err != nil {
			return nil, err
		}
		require.Len(t, suite.Algorithms, 1)
		return suite.Algorithms[0].New(4)
	}
	plain, err := catalog.Get("queue/mcs")
	require.NoError(t, err)
	mcs, err := plain.New(4)
	require.NoError(t, err)

	m, err := build("-topology", "sockets=1,cores=4")
	require.NoError(t, err)
	require.IsType(t, mcs, m, "a machine of one node")
	for _, args := range [][]string{nil, {"-topology", "sockets=2,cores=2"}} {
		m, err = build(args...)
		require.NoError(t, err)
		require.IsType(t, new(numa.CohortMutex), m)
	}
	_, err = build("-topology", "machine")
	require.NoError(t, err)
	_, err = build("-topology", "two")
	require.EqualError(t, err, `-topology two: "two" is not a level, which is written as in sockets=2,cores=4,threads=2, from the outside in`)
}
