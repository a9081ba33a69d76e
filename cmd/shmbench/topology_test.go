package main

import (
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/numa"
	"shmbench/shm"
)

func TestTopologyOfARun(t *testing.T) {
	build := func(args ...string) (shm.Mutex, error) {
		f := &runFlags{fs: flag.NewFlagSet("run", flag.ContinueOnError)}
		f.declare()
		require.NoError(t, f.fs.Parse(append(args, "-alg", "^numa/cmcsmcs$")))
		suite, err := f.experiment(io.Discard)
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

// TestTopologyOfStress: the program that stresses a lock has it where it was told to.
func TestTopologyOfStress(t *testing.T) {
	sample.NeedsAll(t)
	code, out, diag := shmbenchStress(t, "-alg", "^numa/hbo$", "-d", "50ms", "-procs", "2", "-topology", "sockets=2,cores=2", "-json")
	require.Equal(t, exitHolds, code, diag)
	require.Contains(t, out, `"topology": "sockets=2,cores=2"`)
}

func TestTopologyOfACheck(t *testing.T) {
	paths, err := topology("sockets=2,cores=2,threads=2").paths()
	require.NoError(t, err)
	require.Equal(t, [][]int{{0}, {0}, {1}, {1}, {0}}, paths[:5])
	require.Len(t, paths, check.MaxProcs)
	paths, err = topology("").paths()
	require.NoError(t, err)
	require.Empty(t, paths)
	for says, args := range map[string][]string{
		"is not a level": {"-topology", "two"},
		"./mylock cannot be combined with -topology":    {"-topology", "machine", "./mylock"},
		"-replay checks nothing":                        {"-topology", "machine", "-replay", "x"},
		"the specification of a known-broken lock says": {"-topology", "machine", "-known-broken"},
	} {
		_, diag, status := shmbench(t.Context(), append([]string{"check"}, args...)...)
		require.Equal(t, exitUsage, status)
		require.Contains(t, diag, says)
	}
}
