package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/study"
	"shmbench/distributed/verify"
)

// TestPopulate: the flag -threads gives each node its threads; if they move, each node has room for all.
func TestPopulate(t *testing.T) {
	for _, c := range []struct {
		threads string
		move    bool
		want    int
		present []int
		err     string
	}{
		{"2", false, 2, nil, ""},
		{"0", false, 0, nil, ""},
		{"3, 1,2", false, 3, []int{3, 1, 2}, ""},
		{"2", true, 6, []int{2, 2, 2}, ""},
		{"3,1,2", true, 6, []int{3, 1, 2}, ""},
		{"3,0,2", true, 0, nil, "0 threads a node: at least 1"},
		{"3,x", false, 0, nil, `-threads 3,x: "x" is not a whole number; it is one number, or one of each node as in 3,1,2`},
	} {
		config := &distributed.Config{Nodes: 3}
		err := populate(config, c.threads, c.move)
		if c.err != "" {
			require.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, config.Threads, c.threads)
		require.Equal(t, c.present, config.Present, c.threads)
	}
}

// TestWriteVerified: algorithms and elections have a table each, and the invariants stand below them.
func TestWriteVerified(t *testing.T) {
	rows := []verified{
		{Algorithm: "ring", Verdicts: []verify.Verdict{{Trial: "nodes", Decided: true, Claimed: true}}},
		{Algorithm: "star", Invariants: []string{"one token", "one root"}},
	}
	var b strings.Builder
	require.NoError(t, writeVerified(&b, rows))
	require.Regexp(t, `^algorithm +nodes `, b.String())
	require.Regexp(t, `\nring +holds\* +- `, b.String())
	require.Contains(t, b.String(), "\nin each state of star: one token, one root\n")
	require.NotContains(t, b.String(), "in each state of ring")
	require.NotContains(t, b.String(), "election")
	require.Contains(t, b.String(), "\n* claimed\n")
	b.Reset()
	require.NoError(t, writeVerified(&b, []verified{{Algorithm: "bully", Election: true}}))
	require.Regexp(t, `^election +`, b.String())
	require.NotContains(t, b.String(), "\nalgorithm")
}

// TestDescribeTrial: what a column of verify means.
func TestDescribeTrial(t *testing.T) {
	for want, trial := range map[string]verify.Trial{
		"3 nodes":                                                 {Nodes: 3},
		"3 nodes of 1 thread, each asks 1 time":                   {Nodes: 3, Threads: 1, Requests: 1},
		"3 nodes of 2 threads, each asks 2 times":                 {Nodes: 3, Threads: 2, Requests: 2},
		"3 nodes of 1 thread, each asks again and again":          {Nodes: 3, Threads: 1, Requests: explore.Forever},
		"2 nodes; no node leads yet; messages of a pair in order": {Nodes: 2, First: true, InOrder: true},
		"2 nodes; messages of a pair may overtake each other; timers may expire while messages are under way": {Nodes: 2, AnyOrder: true, AnyTime: true},
	} {
		require.Equal(t, want, describeTrial(trial))
	}
}

// TestWriteClaims: the claims are followed by the readings, and there is nothing to say without claims.
func TestWriteClaims(t *testing.T) {
	var b strings.Builder
	require.NoError(t, writeClaims(&b, nil))
	require.Empty(t, b.String())
	require.NoError(t, writeClaims(&b, []study.Finding{{Claim: "it is fast", Load: "one thread", Status: "confirmed"}}))
	require.True(t, strings.HasPrefix(b.String(), "what the text claims, and the rates at which the intervals bear it out\n\n 1. CONFIRMED. it is fast (one thread)\n\nreadings\n\n"), b.String())
	var readings strings.Builder
	require.NoError(t, study.WriteReadings(&readings))
	require.True(t, strings.HasSuffix(b.String(), "\nreadings\n\n"+readings.String()))
}
