//go:build unix

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/node"
	"shmbench/internal/cli"
)

// TestMain lets the test program be the nodes that it starts.
func TestMain(m *testing.M) {
	harness.Sweep()
	if len(os.Args) > 1 && os.Args[1] == "node" || os.Getenv(asProgram) != "" {
		main()
	}
	if os.Getenv(orphans) != "" {
		begin()
	}
	flag.Set("test.parallel", "4") // most of the parallel tests wait; the command line may say otherwise
	os.Exit(m.Run())
}

// dmebench runs a command line and returns what it printed and its status.
func dmebench(ctx context.Context, args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = program().Run(ctx, cli.Env{Stdout: &out, Stderr: &err}, args)
	return out.String(), err.String(), status
}

// long is a deadline for an action that takes no time on any machine.
const long = 2 * time.Minute

// options are those of a run of the named algorithm.
func options(t *testing.T, alg, rate string, nodes, entries int) harness.Options {
	a, err := algorithms().Get(alg)
	require.NoError(t, err)
	load, err := node.ParseLoad(rate)
	require.NoError(t, err)
	program, err := os.Executable()
	require.NoError(t, err)
	return harness.Options{
		Setup: node.Setup{
			Algorithm: a, System: distributed.Config{Nodes: nodes, Threads: 1, Server: a.Apart},
			Load: load, Section: 100 * time.Microsecond, Tick: time.Hour, Seed: 1, Fenced: true,
		},
		Program: program, TCP: true, Entries: entries, Deadline: long,
	}
}

func begun(t *testing.T, o harness.Options) *harness.Run {
	r, err := harness.Begin(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// Where nodes ask one at a time every message is foreseen.
func TestMessagesAsSimulated(t *testing.T) {
	entries := 60
	if testing.Short() {
		entries = 15
	}
	for _, alg := range []string{"central", "lamport", "ricart-agrawala", "maekawa", "suzuki-kasami", "raymond", "naimi-trehel"} {
		for _, tcp := range []bool{true, false} {
			t.Run(fmt.Sprint(alg, "/tcp=", tcp), func(t *testing.T) {
				o := options(t, alg, "one", 4, entries)
				o.TCP = tcp
				result, err := harness.Do(t.Context(), o)
				require.NoError(t, err)
				require.NoError(t, judged(result.History))
				require.Equal(t, result.Predicted.Messages, result.Measured.Messages)
				require.Equal(t, entries, result.History.Entries)
				require.Equal(t, int64(entries), result.Resource.Taken)
				require.Equal(t, distributed.Fence{Count: int64(entries)}, result.Resource.High)
				pids := map[int]bool{os.Getpid(): true}
				for _, p := range result.PIDs {
					pids[p] = true
				}
				require.Len(t, pids, 5, "each node is a process of its own")
			})
		}
	}
}

// Under load, too, all exclude, and those whose messages do not depend on the
// order of events send as many as the book says.
func TestUnderLoad(t *testing.T) {
	entries := 300
	if testing.Short() {
		entries = 60
	}
	const n = 4
	for alg, messages := range map[string]float64{"ricart-agrawala": 2 * (n - 1), "lamport": 3 * (n - 1), "raymond": 0, "token-ring": 0} {
		for _, rate := range []string{"max", "1000"} {
			o := options(t, alg, rate, n, entries)
			o.TCP = rate == "max"
			result, err := harness.Do(t.Context(), o)
			require.NoError(t, err)
			require.NoError(t, judged(result.History), "%s: %+v", alg, result.History)
			require.GreaterOrEqual(t, result.History.Entries, entries)
			require.Equal(t, int64(result.History.Entries), result.Resource.Taken)
			if messages > 0 {
				require.Equal(t, messages, float64(result.Measured.Messages))
			}
		}
	}
}

// A broken node and a transport that delivers twice let two in, and both the
// history and the resource tell.
func TestTwoInsideAreSeen(t *testing.T) {
	for _, c := range []struct {
		alg    string
		double bool
	}{{"central-grants-at-once", false}, {"ricart-agrawala", true}} {
		for _, fenced := range []bool{true, false} {
			o := options(t, c.alg, "one", 3, 2)
			o.Double, o.Fenced = c.double, fenced
			r := begun(t, o)
			require.NoError(t, r.Enter(1))
			require.NoError(t, r.Enter(2), "while node 1 is inside")
			require.NoError(t, r.Leave(2))
			require.NoError(t, r.Leave(1))
			result, _, err := r.Judge() // the nodes themselves may have broken down
			require.NoError(t, err)
			require.False(t, result.History.Holds, c.alg)
			require.Contains(t, result.History.Detail, "entered with token")
			require.Positive(t, result.Lost+int64(result.Refused), "%s, fenced: %v", c.alg, fenced)
		}
	}
}

// A broken algorithm gets the judge's verdict, and status 1.
func TestBrokenAlgorithm(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program, "run", "-alg", "central-grants-at-once", "-nodes", "4", "-over", "tcp", "-entries", "10000")
	cmd.Env = append(os.Environ(), asProgram+"=yes")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Run(), &exit)
	require.Equal(t, cli.Violated, exit.ExitCode(), "%s%s", &out, &errs)
	require.Regexp(t, `verdict    \d+ entries of 4 processes: VIOLATED: `, out.String())
	require.Regexp(t, `^dmebench run: node \d broke down( on message \d→\d \w+)?: (live: node \d let thread 0 enter twice|node \d leaves, and was not in its critical section|no thread of this node has asked)\n$`, errs.String())
}

// A run that cannot go on says which node waits for which.
func TestStall(t *testing.T) {
	o := options(t, "lamport-silent-release", "one", 3, 2)
	o.Deadline = time.Second
	r := begun(t, o)
	require.NoError(t, r.Enter(1))
	require.NoError(t, r.Leave(1))
	err := r.Enter(2)
	var stall *harness.Stall
	require.ErrorAs(t, err, &stall)
	require.Contains(t, err.Error(), "a thread waits and none has entered for 1s\nnode 2: waits for ")
}

func TestWrongUse(t *testing.T) {
	for says, args := range map[string][]string{
		`dmebench: no verb "start"; "dmebench -h" lists the verbs`:                                                                                       {"start"},
		"dmebench run: no flag -alogrithm; dmebench run -h lists the flags":                                                                              {"run", "-alogrithm", "x"},
		"dmebench run: -lease 3: raymond has permissions without a time limit":                                                                           {"run", "-lease", "3"},
		`dmebench run: -alg x: there is no algorithm of this name; "dmesim list" lists them`:                                                             {"run", "-alg", "x"},
		"dmebench run: -nodes 1: the number of nodes must be between 2 and 1024":                                                                         {"run", "-nodes", "1"},
		"dmebench run: -nodes 2000: the number of nodes must be between 2 and 1024":                                                                      {"run", "-nodes", "2000"},
		`dmebench run: -over udp: it must be nats or tcp`:                                                                                                {"run", "-over", "udp"},
		`dmebench run: -rate "many": want requests a second from 1e-6 to 1e6, max or one`:                                                                {"run", "-rate", "many"},
		`dmebench node: -run: "7" is no run: want 32 hexadecimal digits`:                                                                                 {"node", "-run", "7"},
		"dmebench node: a node talks over a server, which -nats names, or -listen says where it listens":                                                 {"node", "-run", "0123456789abcdef0123456789abcdef"},
		"dmebench node: -id 3: the node must be between 0 and 2":                                                                                         {"node", "-run", "0123456789abcdef0123456789abcdef", "-id", "3"},
		"dmebench node: -patience -1s: the time must be at least 0s":                                                                                     {"node", "-patience", "-1s"},
		"dmebench node: -state x: the nodes of raymond keep nothing over a crash":                                                                        {"node", "-run", "0123456789abcdef0123456789abcdef", "-listen", ":0", "-state", "x"},
		"dmebench node: -peers a:1,b:2: it lists 2 addresses, and there are 3 nodes (-of)":                                                               {"node", "-run", "0123456789abcdef0123456789abcdef", "-listen", ":0", "-peers", "a:1,b:2"},
		"dmebench run: -replicas 6: the number of replicas must be between 1 and 5":                                                                      {"run", "-replicas", "6"},
		"dmebench run: -storage tape: it must be file or memory":                                                                                         {"run", "-storage", "tape"},
		"dmebench run: -kv-lease 1ms: the lease must be at least 100ms":                                                                                  {"run", "-kv-lease", "1ms"},
		"dmebench judge: it wants the files that -history of \"dmebench node\" has written, one a node":                                                  {"judge"},
		"dmebench resource: -resource names the resource: a file, or kv":                                                                                 {"resource"},
		"dmebench faults: -fault nosuch: no fault matches; there are kill last, kill first, kill inside, restart, pause inside, partition, server, slow": {"faults", "-fault", "nosuch"},
		"dmebench faults: -fault server: no fault matches; there are kill last, kill first, kill inside, restart, pause inside, partition":               {"faults", "-fault", "server", "-over", "tcp"},
		"dmebench faults: -alg nosuch: no algorithm matches; \"dmesim list\" lists them":                                                                 {"faults", "-alg", "nosuch"},
	} {
		out, errs, status := dmebench(t.Context(), args...)
		require.Equal(t, cli.Usage, status)
		require.Empty(t, out)
		require.Equal(t, says+"\n", errs)
	}
	for _, verb := range []string{"run", "node", "faults"} {
		out, _, status := dmebench(t.Context(), verb, "-h")
		require.Equal(t, cli.Holds, status)
		require.Contains(t, out, "exit status:")
	}
}
