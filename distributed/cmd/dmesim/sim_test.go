package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shmbench/internal/cli"

	"github.com/stretchr/testify/require"
)

func TestStudy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "study")
	small := []string{"study", "-nodes", "7", "-threads", "1,5", "-rates", "0.1,1,10", "-entries", "600", "-warmup", "20", "-replications", "3"}
	out, msg, code := dmesim(t.Context(), append(small, "-o", dir)...)
	require.Equal(t, cli.Holds, code, msg)
	require.Empty(t, msg, "no progress where there is no terminal")
	require.Contains(t, out, "waiting time (s), N = 7, threads a node: 5")
	require.Contains(t, out, "the second version waits less than the first")
	for _, name := range []string{"figure3.svg", "figure4.svg", "points.json", "points.txt", "claims.txt", "claims.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotEmpty(t, data, name)
	}
	out, _, code = dmesim(t.Context(), append(small, "-json")...)
	require.Equal(t, cli.Holds, code)
	var points []map[string]any
	decode(t, out, &points)
	require.Len(t, points, 7*2*3)
	for _, p := range points {
		for _, field := range []string{"algorithm", "threads", "rate", "entries", "messages_per_entry", "messages_per_entry_half_width", "waiting_time", "waiting_time_half_width"} {
			require.Contains(t, p, field)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, "points.json"))
	require.NoError(t, err)
	require.Equal(t, string(file), out, "the same seed, the same bytes")
}

// What the paper keeps fixed can be varied; then the table says so, and the
// claims, which are about the paper's algorithms, are left out.
func TestStudyVaried(t *testing.T) {
	out, msg, code := dmesim(t.Context(), "study", "-alg", "^(raymond|neilsen-mizuno|raymond-batch)$", "-vary", "tree=star; cs=1ms; delay=exp:50ms",
		"-nodes", "7", "-threads", "1", "-rates", "0.1", "-entries", "600", "-warmup", "20", "-replications", "3")
	require.Equal(t, cli.Holds, code, msg)
	require.Contains(t, out, "inside 1ms; a message's delay exp:50ms; tree: star\n")
	require.Regexp(t, `λ +raymond +neilsen-mizuno +raymond-batch\n`, out)
	require.NotContains(t, out, "claims")
}

func TestRun(t *testing.T) {
	out, msg, code := dmesim(t.Context(), "run", "-alg", "raymond", "-nodes", "7", "-entries", "500")
	require.Equal(t, cli.Holds, code, msg)
	require.Contains(t, out, "complete: 10 of 10")
	require.NotRegexp(t, `(?m)^ *(faults|permissions taken back|TWO INSIDE|NOT CARRIED OUT)`, out, "nothing of this happened")

	out, _, code = dmesim(t.Context(), "run", "-alg", "central", "-nodes", "5", "-rate", "max", "-faults", "crash 0 at 2s", "-json")
	require.Equal(t, cli.Violated, code, "nobody enters any more")
	var o map[string]any
	decode(t, out, &o)
	require.Equal(t, "stuck", o["end"])
	require.Contains(t, o["detail"], "nodes that are down: 1")

	out, _, code = dmesim(t.Context(), "run", "-alg", "central", "-nodes", "5", "-rate", "max", "-entries", "500", "-resources", "2", "-json")
	require.Equal(t, cli.Holds, code)
	decode(t, out, &o)
	require.EqualValues(t, 2, o["resources"])

	out, _, code = dmesim(t.Context(), "run", "-alg", "mueller", "-nodes", "3", "-entries", "500", "-threads", "1,3,2", "-move", "1", "-json")
	require.Equal(t, cli.Holds, code)
	decode(t, out, &o)
	require.Equal(t, []any{1.0, 3.0, 2.0}, o["threads_of"])
	require.EqualValues(t, 1, o["move"])
	require.InDelta(t, 1, o["messages_per_entry_by_kind"].(map[string]any)["move"], 0.01)
	out, _, _ = dmesim(t.Context(), "run", "-alg", "mueller", "-nodes", "3", "-entries", "500", "-threads", "1,3,2", "-move", "0.5")
	require.Contains(t, out, "3 nodes, threads a node: 1,3,2")
	require.Contains(t, out, "move to another node with probability 0.5, by a message")

	out, _, code = dmesim(t.Context(), "run", "central-bully", "-nodes", "5", "-rate", "any:1", "-entries", "200", "-warmup", "0", "-faults", "crash every 100s; restart after 5s; cut 0 at 500h")
	require.Contains(t, []int{cli.Holds, cli.Violated}, code, out)
	require.Regexp(t, `faults +\d+ messages lost, 0 doubled, [1-9]\d* crashes`, out)

	out, _, code = dmesim(t.Context(), "run", "-alg", "raymond", "-nodes", "5", "-rate", "max", "-duplicate", "0.05")
	require.Equal(t, cli.Violated, code, "two tokens")
	require.Contains(t, out, "was in its critical section")

	out, _, code = dmesim(t.Context(), "run", "-alg", "central-bully", "-nodes", "5", "-rate", "0.2", "-entries", "300", "-warmup", "0", "-faults", "crash 0 at 100s")
	require.Equal(t, cli.Holds, code, out)
}

func TestTableAndScale(t *testing.T) {
	out, msg, code := dmesim(t.Context(), "table", "-alg", "^(central|raymond)$", "-nodes", "5")
	require.Equal(t, cli.Holds, code, msg)
	require.Contains(t, out, "all stop")
	out, _, code = dmesim(t.Context(), "table", "-alg", "^(central|raymond)$", "-nodes", "5", "-json")
	require.Equal(t, cli.Holds, code)
	var rows []any
	decode(t, out, &rows)
	require.Len(t, rows, 2)

	out, _, code = dmesim(t.Context(), "table", "-alg", "^(central|raymond)$", "-nodes", "5", "-shape", "path")
	require.Equal(t, cli.Holds, code)
	require.Contains(t, out, "where there is a tree its diameter D is 4")
	require.Contains(t, out, "1..8 ", "2D")

	svg := filepath.Join(t.TempDir(), "scale.svg")
	out, msg, code = dmesim(t.Context(), "scale", "-alg", "raymond", "-nodes", "7,31,63,127", "-o", svg)
	require.Equal(t, cli.Holds, code, msg)
	require.Contains(t, out, "ln N")
	data, err := os.ReadFile(svg)
	require.NoError(t, err)
	require.Contains(t, string(data), "<svg")
}

// A tree from a file is refused with the file's name.
func TestTreeOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tree")
	for text, says := range map[string]string{
		"0 0 1\n":    "",
		"0,0,\n 1\n": "",
		"":           "the file is empty; it has the parent of each node, as in 0 0 0 1",
		"0 0 x":      `"x" is no node; it has the parent of each node, as in 0 0 0 1`,
		"0 0":        "a tree of 2 parents for 3 nodes",
		"0 2 1":      "the tree has a cycle: node 1 never reaches the root 0",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		code, _, errs := typed(t, context.Background(), "run -alg raymond -nodes 3 -entries 10 -replications 1 -shape file:"+file)
		if says == "" {
			require.Zero(t, code, "%q: %s", text, errs)
			continue
		}
		require.Equal(t, cli.Usage, code, "%q", text)
		require.Contains(t, errs, "-shape file:"+file+": "+says)
	}
}

func TestBadUse(t *testing.T) {
	for says, args := range map[string]string{
		`no algorithm: give -alg; dmesim list shows the names`:                                   "run",
		`-alg nix: there is no algorithm of this name; dmesim list shows the names`:              "run|-alg|nix",
		`-rate 0: the rate must be max, one, or requests a second between 1e-06 and 1000000`:     "run|-alg|raymond|-rate|0",
		`-threads 1,0,2: threads [1 0 2]: each node begins with 1 to 2`:                          "run|-alg|raymond|-nodes|3|-threads|1,0,2",
		`-threads 1,x: "x" is not a whole number`:                                                "run|-alg|raymond|-threads|1,x",
		`-batch 2: raymond has no batches`:                                                       "run|-alg|raymond|-batch|2",
		`-batch -1: the number of threads must be at least 0`:                                    "run|-alg|raymond-batch|-batch|-1",
		`-move 2: the probability must be between 0 and 1`:                                       "run|-alg|raymond|-move|2",
		`-moves 300: the number of moves must be between 0 and 255`:                              "explore|-alg|raymond|-moves|300|-threads|1",
		`-rate x: the rate must be max, one, or requests a second between`:                       "run|-alg|raymond|-rate|x",
		`-threads 0: 0 threads a node: at least 1`:                                               "run|-alg|raymond|-threads|0",
		`-nodes 1: the number of nodes must be between 2 and 1048576`:                            "run|-alg|raymond|-nodes|1",
		`the tree has a cycle: node 1 never reaches the root 0`:                                  "run|-alg|raymond|-nodes|3|-shape|0,2,1",
		`the quorums of nodes 0 and 1 do not intersect: [0] and [1 2]`:                           "run|-alg|maekawa|-nodes|3|-shape|0;1,2;2,0",
		`-shape x: it is binary, kary:K, path, star`:                                             "run|-alg|maekawa|-nodes|3|-shape|x",
		`crash at 5s: there is no node 99 among 0..30`:                                           "run|-alg|raymond|-faults|crash 99 at 5s",
		`-faults melt: "melt" is no fault`:                                                       "run|-alg|raymond|-faults|melt",
		`-delay x: "x" is no distribution`:                                                       "run|-alg|raymond|-delay|x",
		`-replications 0: the number of runs must be between 1 and 100000`:                       "run|-alg|raymond|-replications|0",
		`-rates 0.1,y: "y" is not a number`:                                                      "study|-rates|0.1,y",
		`-rates -1: the number of requests a second must be between 0.000001 and 1000000`:        "study|-rates|-1",
		`-shape star: none of the algorithms has a tree`:                                         "table|-alg|^central$|-shape|star",
		`-shape grid: none of the algorithms has quorums`:                                        "table|-alg|raymond|-shape|grid",
		`-shape server: none of the algorithms has a server`:                                     "table|-alg|raymond|-shape|server",
		`-shape server: raymond does not have a server`:                                          "run|-alg|raymond|-shape|server",
		`-resources 0: the number of resources must be between 1 and 64`:                         "run|-alg|raymond|-resources|0",
		`-resources 65: the number of resources must be between 1 and 64`:                        "run|-alg|raymond|-resources|65",
		`-vary tree=star: none of the algorithms has a tree`:                                     "study|-alg|lamport|-vary|tree=star",
		`-vary cs=x: "x" is no distribution`:                                                     "study|-vary|cs=x",
		`-vary tree=x: tree "x": it is binary, kary:K`:                                           "study|-vary|tree=x",
		`-vary z: no reading "z"; there are system-rate`:                                         "study|-vary|z",
		`-threads 5,5: 5 is named twice`:                                                         "study|-threads|5,5",
		`-replications 1: the number of runs must be between 2 and 100000`:                       "study|-replications|1",
		`-alg zz: no algorithm matches; dmesim list shows the names`:                             "table|-alg|zz",
		`write a regular expression, 'raymond|raymond'`:                                          "table|-alg|raymond,raymond",
		`-faults restart after 5s: "restart after" needs a fault such as "crash every 20s"`:      "run|central|-faults|restart after 5s",
		`-faults crash every 0s: "crash every 0s": the mean time must be more than 0`:            "run|central|-faults|crash every 0s",
		`-faults cut every 1s; cut every 2s: "cut every 2s" is a second mean time of this fault`: "run|central|-faults|cut every 1s; cut every 2s",
		`-rate any:max: the rate must be max, one, or requests a second between`:                 "run|central|-rate|any:max",
		`-vary until-exit; overtaking: until-exit and overtaking: a study has one reading`:       "study|-vary|until-exit; overtaking",
		`-vary cs: no reading "cs"`:                                                              "study|-vary|cs",
		`-vary rate=3: "rate=3": what can be varied is cs, delay, tree and the reading`:          "study|-vary|rate=3",
		`-nodes 5: write at least two numbers, the lowest first`:                                 "scale|-nodes|5",
	} {
		out, msg, code := dmesim(t.Context(), strings.Split(args, "|")...)
		require.Equal(t, cli.Usage, code, args)
		require.Empty(t, out, args)
		require.Contains(t, msg, says, args)
		require.Equal(t, 1, strings.Count(msg, "\n"), "one plain line")
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, msg bytes.Buffer
	code := run(ctx, cli.Env{Stdout: &out, Stderr: &msg}, []string{"study", "-json"})
	require.Equal(t, cli.Undecided, code)
	require.Contains(t, out.String(), `"complete": false`)
	require.Regexp(t, `interrupted: 0 of \d+ points are complete`, msg.String())
}
