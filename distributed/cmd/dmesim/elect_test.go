package main

import (
	"context"
	"testing"

	"shmbench/internal/cli"

	"github.com/stretchr/testify/require"
)

func TestElect(t *testing.T) {
	ctx := context.Background()
	code, out, errs := typed(t, ctx, "elect -nodes 8 -dead 7 -initiators 0,3")
	require.Equal(t, cli.Holds, code, errs)
	require.Regexp(t, `(?m)^bully +6 +28 +21 +0 +7 +0 +56 `, out)
	require.Regexp(t, `(?m)^ring +6 +15 +0 +0 +12 +14 +41 +10 +2 +2$`, out)
	require.Contains(t, out, "peterson-ring: no agreement: node 0 follows node 7, which is dead; it claims to survive no crash")

	var rows []struct {
		Leader   int
		Agreed   bool
		Messages map[string]int
		Total    int
		AtOnce   int `json:"at_once"`
		Ring     []int
	}
	_, out, _ = typed(t, ctx, "elect -alg ^chang-roberts$ -nodes 6 -first -ring descending -json")
	decode(t, out, &rows)
	require.Len(t, rows, 1)
	require.Equal(t, []int{5, 4, 3, 2, 1, 0}, rows[0].Ring)
	require.Equal(t, 5, rows[0].Leader)
	require.Equal(t, 21, rows[0].Messages["election"])
	require.Equal(t, 6, rows[0].AtOnce)
	_, out, _ = typed(t, ctx, "elect -alg ^ring$ -nodes 6 -dead 0 -initiators random:3 -ring random -pick lowest -json")
	decode(t, out, &rows)
	require.Equal(t, 1, rows[0].Leader)
	require.Equal(t, 3, rows[0].AtOnce)
	_, out, _ = typed(t, ctx, "elect -alg ^bully$ -nodes 16 -initiators 15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0 -json")
	decode(t, out, &rows)
	require.Equal(t, 680, rows[0].Messages["election"])

	code, out, _ = typed(t, ctx, "elect -alg ^peterson-ring-no-equal$ -nodes 4 -first")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "no agreement: node 0 follows no node")

	code, out, _ = typed(t, ctx, "elect -table -nodes 5")
	require.Equal(t, cli.Holds, code)
	require.Regexp(t, `chang-roberts +mean +11.41667 +11.41667 +=  n·H\(n\) .*24 rings`, out)
	require.Regexp(t, `(?m)^5 +45 +`, out, "five initiators of the ring's election")
	code, out, _ = typed(t, ctx, "elect -table -nodes 3 -json")
	require.Equal(t, cli.Holds, code)
	require.Contains(t, out, `"formula": "C(n+1,3)"`)
}

func TestElectRefuses(t *testing.T) {
	for line, says := range map[string]string{
		"elect -nodes 1":                  "-nodes 1: the number of nodes must be between 2 and 10000",
		"elect -table -nodes 200":         "-nodes 200: with -table the number of nodes must be between 2 and 128",
		"elect -table -dead 1":            "-table cannot be combined with -dead",
		"elect -alg nope":                 `-alg nope: no algorithm matches; dmesim list shows the names`,
		"elect -pick last":                `-pick last: the elected node must be highest or lowest`,
		"elect -ring up":                  `-ring up: the order along the ring must be ascending, descending or random`,
		"elect -alg ^bully$ -pick lowest": "bully always elects the highest node: -pick lowest is for other algorithms",
		"elect -dead x":                   "-dead x: write a list of nodes such as 0,3",
		"elect -dead 9":                   "dead: there is no node 9 among 0..7",
		"elect -dead 1 -initiators 1":     "initiators: node 1 is dead",
		"elect -initiators some":          "-initiators some: write a list of nodes such as 0,3, all, or random:K",
		"elect -initiators random:9":      "-initiators random:9: random:K wants 1 to 8, the nodes that are up",
		"elect -nodes 2 -dead 0,1":        "all 2 nodes are dead: at least one is up",
	} {
		code, out, errs := typed(t, context.Background(), line)
		require.Equal(t, cli.Usage, code, line)
		require.Empty(t, out, line)
		require.Equal(t, "dmesim elect: "+says+"\n", errs, line)
	}
}
