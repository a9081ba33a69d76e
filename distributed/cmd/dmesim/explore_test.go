package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shmbench/internal/cli"

	"github.com/stretchr/testify/require"
)

func TestExplore(t *testing.T) {
	ctx := context.Background()
	code, out, errs := typed(t, ctx, "explore -alg raymond -requests 0")
	require.Equal(t, cli.Holds, code)
	require.Equal(t, "raymond: holds; 110 states, 252 steps, depth 10; messages of a pair in any order; invariants: one token, a way to the token\n", out)
	require.Empty(t, errs)

	diagram := filepath.Join(t.TempDir(), "trace.mmd")
	code, out, _ = typed(t, ctx, "explore alien-v1-printed -requests 2 -o "+diagram)
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "thread 0 of node 2 enters while thread 0 of node 0 is in its critical section")
	text, err := os.ReadFile(diagram)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "sequenceDiagram\n"))
	require.Contains(t, string(text), "enters while")

	code, out, _ = typed(t, ctx, "explore -alg raymond-turns-back")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "the invariant \"a way to the token\" is violated: from node 0 no way leads to the token\n  1  ")

	// A vote that is lost with its message is in no two places.
	code, out, _ = typed(t, ctx, "explore agrawal-el-abbadi -loss 1")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "deadlock freedom is violated")
	require.NotContains(t, out, "the invariant")
	_, out, _ = typed(t, ctx, "explore maekawa-keeps-vote -nodes 4 -loss 1 -max-states 200000")
	require.Contains(t, out, "the invariant \"one vote a voter\" is violated: the vote of node")

	// A vote that arrives twice is one vote; a request that does gives one to a node that has left.
	code, out, _ = typed(t, ctx, "explore maekawa -duplicate 1")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "is violated: node 0 is locked for node 1, which does not have its vote")

	code, out, _ = typed(t, ctx, "explore -alg raymond -nodes 2 -resources 2")
	require.Equal(t, cli.Holds, code)
	require.NotContains(t, out, "invariants", "they are of one resource's nodes")

	code, out, _ = typed(t, ctx, "explore -alg central -nodes 2 -locks 2:unordered")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "deadlock freedom is violated")
	code, _, _ = typed(t, ctx, "explore -alg central -nodes 2 -locks 2")
	require.Equal(t, cli.Holds, code)

	// A node may begin only so many elections. One more is a violation, so an election that never ends is found.
	code, out, _ = typed(t, ctx, "explore chang-roberts-drops -crash 1 -max-states 1000")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "eventual agreement is violated: node 1 begins election 5: at most 4 should be needed\n")

	code, out, _ = typed(t, ctx, "explore -alg bully -crash 1 -json")
	require.Equal(t, cli.Holds, code)
	var result struct {
		Algorithm string
		Timing    string
		Complete  bool
		States    int
	}
	decode(t, out, &result)
	require.Equal(t, "bully", result.Algorithm)
	require.Equal(t, "timely", result.Timing)
	require.True(t, result.Complete && result.States > 0)
}

func TestExploreRefuses(t *testing.T) {
	for line, says := range map[string]string{
		"explore":                                    "no algorithm: give -alg; dmesim list shows the names",
		"explore -alg nope":                          `-alg nope: there is no algorithm of this name; dmesim list shows the names`,
		"explore -alg raymond -nodes 1":              "-nodes 1: the number of nodes must be between 2 and 6",
		"explore -alg bully -nodes 1":                "-nodes 1: the number of nodes must be between 2 and 6",
		"explore -alg raymond -nodes 7":              "-nodes 7: the number of nodes must be between 2 and 6",
		"explore -alg raymond -threads 0":            "-threads 0: 0 threads a node: at least 1",
		"explore -alg raymond -requests -1":          "-requests -1: the number of requests must be between 0 and 255",
		"explore -alg raymond -order lifo":           `-order lifo: the order of messages must be fifo, any or claim`,
		"explore -alg raymond -timing never":         `-timing never: the timing must be timely, ticks, any or claim`,
		"explore -alg raymond -shape ring":           `-shape ring: it is binary, kary:K, path, star, the parents of a tree as in 0,0,0,1, file:NAME with these, plane, grid, tree, quorums as in 0,1;1,2;2,0, or server`,
		"explore -alg raymond -shape kary:0":         `-shape kary:0: kary:K wants a number of children of at least 1, as in kary:3`,
		"explore -alg maekawa -shape plane -nodes 4": "-shape plane: no projective plane of 4 points: there is one of q²+q+1, q a prime power: 7, 13, 21, 31, 57, 73 …",
		"explore -alg raymond -shape 0,2,1":          "-shape 0,2,1: the tree has a cycle: node 1 never reaches the root 0",
		"explore -alg maekawa -shape 0,1;1;2,0":      "the quorums of nodes 1 and 2 do not intersect: [1] and [2 0]",
		"explore -alg raymond -shape 0,1;1;2,0":      "-shape 0,1;1;2,0: raymond does not have quorums",
		"explore -alg agrawal-el-abbadi -shape tree": "-shape tree: agrawal-el-abbadi does not have quorums",
		"explore -alg central -shape star":           "-shape star: central does not have a tree",
		"explore -alg raymond -locks 2 -resources 2": "-locks cannot be combined with -resources: a thread needs all locks, or one resource at a time",
		"explore -alg raymond -locks 5":              "-locks 5: the number of locks must be between 1 and 4, as in 2 or 2:unordered",
		"explore -alg raymond -max-states 0":         "-max-states 0: the number of states must be at least 1",
		"explore -alg raymond -crash -1":             "-crash -1: the number of faults must be between 0 and 255",
		"explore -alg lamport -max-states 100":       "gave up after 101 states, depth 3: no violation of safety so far, nothing else is decided; raise -max-states or ask for less",
		"explore -alg bully":                         "nothing to explore: the nodes follow their leader; give -crash, -first or -faults suspect:1",
		"explore -alg bully -crash 1 -locks 2":       "-locks 2: bully is an election",
		"explore -alg raymond -faults suspect:2":     "-faults suspect:2: raymond has no leader to suspect",
		"explore -alg raymond -locks 1:unordered":    "-locks 1:unordered: one lock has no order",
		"explore raymond -partition 1 -faults heal":  "-faults heal: \"heal\" is no fault: want faults such as restart:1,suspect:1,early:1,no-heal",
		"explore raymond -faults no-heal":            "-faults no-heal: no-heal needs -partition",
		"explore bully -faults suspect:-1":           "-faults suspect:-1: \"suspect:-1\": the number of faults must be between 0 and 255",
		"explore -alg raymond -nodes many":           `-nodes many: write a whole number`,
	} {
		want := cli.Usage
		if strings.HasPrefix(says, "gave up") {
			want = cli.Undecided
		}
		code, _, errs := typed(t, context.Background(), line)
		require.Equal(t, want, code, line)
		require.Equal(t, "dmesim explore: "+says+"\n", errs, line)
	}
}

func TestExploreInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	code, out, errs := typed(t, ctx, "explore -alg raymond")
	require.Equal(t, cli.Undecided, code)
	require.Contains(t, out, "undecided")
	require.Contains(t, errs, "interrupted after")
}

func TestList(t *testing.T) {
	code, out, _ := typed(t, context.Background(), "list")
	require.Equal(t, cli.Holds, code)
	for _, name := range []string{"alien-v2-pb", "mueller", "chang-roberts", "maekawa-as-printed", "bully-bare-counter", "ricart-agrawala", "alien-threads-1", "le-lann"} {
		require.Contains(t, out, "\n  "+name+" ")
	}
}

func TestMutants(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	code, _, errs := typed(t, ctx, "mutants")
	require.Equal(t, cli.Undecided, code)
	require.Regexp(t, `interrupted: 0 of \d+ mutants were explored`, errs)
	code, out, _ := typed(t, context.Background(), "mutants -alg ^chang-roberts-u")
	require.Equal(t, cli.Holds, code)
	require.Regexp(t, `^mutant .*\nchang-roberts-untold +the highest leads .*\n$`, out)
	code, _, errs = typed(t, context.Background(), "mutants -alg nothing-of-this-name")
	require.Equal(t, cli.Usage, code)
	require.Contains(t, errs, `-alg nothing-of-this-name: no mutant matches; there are central-grants-at-once, `)
}
