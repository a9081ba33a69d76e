package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/election"
	"shmbench/distributed/mutants"
	"shmbench/internal/cli"
	"shmbench/internal/testkit/sample"
)

// recursing makes the catalog's coordinator, the only mutant that there is
// then, and the bully recurse without end: in a program of its own, see TestMain.
const recursing = "SHMBENCH_TEST_RECURSING"

func recurseIfAsked() {
	if os.Getenv(recursing) == "" {
		return
	}
	broken, whole := catalog.All[0], catalog.All[0].New
	broken.New = func(c distributed.Config) ([]distributed.Node, error) {
		nodes, err := whole(c)
		for i := range nodes {
			nodes[i] = &recursingNode{nodes[i]}
		}
		return nodes, err
	}
	mutants.All = mutants.All[:1]
	mutants.All[0].Algorithm = broken
	electors := election.Bully.New
	election.Bully.New = func(c election.Config) ([]distributed.Elector, error) {
		nodes, err := electors(c)
		for i := range nodes {
			nodes[i] = &recursingElector{nodes[i]}
		}
		return nodes, err
	}
}

type recursingNode struct{ distributed.Node }

func (p *recursingNode) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Release {
		p.Receive(m, out)
	}
	p.Node.Receive(m, out)
}

type recursingElector struct{ distributed.Elector }

//lint:ignore SA5007 the recursion is what the test is about
func (p *recursingElector) Expire(t distributed.TimerID, out *distributed.Out) { p.Expire(t, out) }

// A node that recurses without end is a verdict with its trace, in every trial
// where it comes to that, and not the end of the program.
func TestRecursionIsAVerdict(t *testing.T) {
	sample.NeedsAll(t)
	t.Setenv(recursing, "1")
	code, out, errs := typed(t, context.Background(), "explore -alg central -nodes 2")
	require.Equal(t, cli.Violated, code)
	require.Equal(t, `
protocol is violated: node 0 panics: it recurses without end
  1  thread 0 of node 1 asks      sends request to 0         threads=[0]
  2  1→0 request arrives          sends grant to 1           queue=[1] threads=[]
  3  0→1 grant arrives            thread 0 of node 1 ENTERS  threads=[0]
  4  thread 0 of node 1 releases  sends release to 0         threads=[]
  5  1→0 release arrives                                     queue=[1] threads=[]
`[1:], out[:strings.Index(out, "central: ")])
	require.Empty(t, errs)

	code, out, errs = typed(t, context.Background(), "verify -alg ^(central|raymond|bully)$")
	require.Equal(t, cli.Violated, code)
	require.Regexp(t, `(?m)^central +protocol \(REFUTED\) +protocol \(REFUTED\)`, out)
	require.Regexp(t, `(?m)^raymond +holds\*`, out)
	require.Regexp(t, `(?m)^bully .*protocol \(REFUTED\)`, out)
	require.Empty(t, errs)

	code, out, errs = typed(t, context.Background(), "mutants -alg ^central-g")
	require.Equal(t, cli.Violated, code)
	require.Contains(t, out, "protocol (NOT AS EXPECTED")
	require.Empty(t, errs)
}

// Where nodes are simulated it is one line.
func TestRecursionEndsASimulationInOneLine(t *testing.T) {
	sample.NeedsAll(t)
	t.Setenv(recursing, "1")
	for line, printed := range map[string]string{
		"run -alg central -nodes 2":       "",
		"run -alg central -nodes 2 -json": "{\n  \"format\": \"dmesim run 1\",\n  \"complete\": false,\n  \"results\": null\n}\n",
		"table -alg central -nodes 2":     "",
		"scale -alg central -nodes 2,4":   "",
	} {
		code, out, errs := typed(t, context.Background(), line)
		require.Equal(t, cli.Violated, code, line)
		require.Equal(t, printed, out, line)
		verb, _, _ := strings.Cut(line, " ")
		require.Equal(t, "dmesim "+verb+": a node recurses without end; \"dmesim explore\" shows how it comes to that\n", errs)
	}
}

// Also where the verb is interrupted, a run in a process of its own says what it
// has, and a plain run is a plain run.
func TestASimulationApartIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	code, out, errs := typed(t, ctx, "run -alg raymond -entries 100000000 -replications 2")
	require.Equal(t, cli.Undecided, code)
	require.Empty(t, out)
	require.Equal(t, "dmesim run: interrupted before a run was complete\n", errs)
}
