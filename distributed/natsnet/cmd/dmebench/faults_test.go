//go:build unix

package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/distributed/catalog"
	"shmbench/distributed/natsnet/harness"
	"shmbench/internal/results/gobench"
)

// A lease is not a lock: a process that is stopped while its lease ends is in its
// critical section together with the next one. Its token lets the resource refuse its
// late write, and nothing is lost. Without a fence, an update is lost.
func TestALeaseIsNoLock(t *testing.T) {
	for _, alg := range []string{"jetstream-lease", "lease-register"} {
		for _, fenced := range []bool{false, true} {
			t.Run(fmt.Sprint(alg, "/fenced=", fenced), func(t *testing.T) {
				t.Parallel() // most of it is waiting
				o := options(t, alg, "one", 3, 3)
				o.TCP = alg != "jetstream-lease"
				o.Lease, o.Tick, o.Fenced = 4*time.Second, 800*time.Millisecond, fenced
				if o.Algorithm.Lease {
					o.System.Lease = 5
				}
				r := begun(t, o)
				require.NoError(t, r.Enter(1))
				require.NoError(t, r.Pause(1))
				require.NoError(t, r.Enter(2), "when the lease of the stopped one is over")
				require.NoError(t, r.Resume(1))
				require.NoError(t, r.Leave(1))
				require.NoError(t, r.Leave(2))
				result, _, err := r.Judge()
				require.NoError(t, err)
				require.False(t, result.History.Holds)
				if fenced {
					require.Zero(t, result.Lost)
					require.Equal(t, 1, result.Refused)
					require.Equal(t, int64(1), result.Resource.Value)
				} else {
					require.Equal(t, int64(1), result.Lost)
					require.Zero(t, result.Refused)
				}
			})
		}
	}
}

// Without faults the lease is one, and is measured beside an algorithm.
func TestLeaseBeside(t *testing.T) {
	out, errs, status := dmebench(t.Context(), "run", "-alg", "raymond", "-nodes", "3", "-entries", "60", "-warmup", "6", "-cs", "0", "-kv", "-kv-lease", "1m", "-deadline", "2m")
	require.Zero(t, status, errs)
	require.Contains(t, out, "holds: the times are those of a mutex with growing tokens")
	reader := benchfmt.NewReader(strings.NewReader(out), "out")
	entries := map[string]int{}
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		entries[string(r.Name)] = r.Iters
		require.Equal(t, runtime.GOOS, r.GetConfig("goos"))
		require.NotEmpty(t, r.GetConfig("cpu"))
		require.Empty(t, r.GetConfig("commit"), "no configuration: benchstat compares two commits")
	}
	name := "Dme/alg=raymond/nodes=3/threads=1/rate=max/cs=0s/over=nats/by="
	suffix := gobench.Suffix(strconv.Itoa(runtime.GOMAXPROCS(0)))
	require.Equal(t, map[string]int{name + "processes" + suffix: 60, name + "simulator" + suffix: 20000, name + "jetstream-lease" + suffix: 60}, entries)
}

// The algorithms that claim to survive a fault survive it, and the others say which node
// waits for which.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		alg, fault string
		goesOn     bool
		says       string
	}{
		{"central", "kill first", false, `node 0: its process \d+ has ended: signal: killed; it was the last to enter, with token 0.6\nnode 1: waits for `},
		{"raymond", "kill inside", false, `(?s)node 1: waits for node 3 to take \d+ of its messages; .*node 3: its process \d+ has ended: signal: killed; it was the last to enter, with token 0.7`},
		{"central-bully", "kill last", true, ""},
		{"central-bully", "kill inside", true, ""}, // and not token-ring-bully, which skips forever a node that was late once
		{"ricart-agrawala-timeout", "kill first", true, ""},
		{"central-majority", "restart", true, "node 4 is taken back"},
		{"central-bully", "restart", true, "node 4 is taken back"},
		{"ricart-agrawala", "restart", false, `(?s)node 4 is not taken back; .*node 4: its process \d+ has ended: exit status 2: node \d refuses this process: the run has begun with another process as node 4, and the algorithm has no rule to take a restarted node back`},
		{"raymond", "pause inside", true, "the others waited while it was stopped"},
		{"naimi-trehel", "partition", true, ""},
		{"suzuki-kasami", "server", true, ""},
		{"maekawa", "slow", true, ""},
	} {
		if testing.Short() && c.goesOn {
			continue
		}
		t.Run(c.alg+"/"+c.fault, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			k := slices.IndexFunc(harness.Faults, func(f harness.Fault) bool { return f.Name == c.fault })
			o := options(t, c.alg, "one", harness.FaultNodes, 1)
			o.TCP, o.Hold, o.Tick = !harness.Faults[k].Server, 200*time.Millisecond, 200*time.Millisecond
			if !c.goesOn {
				o.Deadline = 5 * time.Second
			}
			outcome, err := harness.PlayFault(t.Context(), o, &harness.Faults[k])
			require.NoError(t, err)
			require.Equal(t, c.goesOn, outcome.GoesOn, outcome.Says)
			require.Regexp(t, c.says, outcome.Says)
			require.False(t, outcome.Violates(), "%+v", outcome)
		})
	}
}

// A coordinator that grants at once lets another in while the holder is stopped. It may
// break down before that, as the release of one node is late: then again.
func TestFaultsFindABrokenNode(t *testing.T) {
	o := options(t, "central-grants-at-once", "one", harness.FaultNodes, 1)
	o.Deadline, o.Hold = 5*time.Second, long // all may wait for a coordinator that broke down
	k := slices.IndexFunc(harness.Faults, func(f harness.Fault) bool { return f.Name == "pause inside" })
	for range 20 {
		outcome, err := harness.PlayFault(t.Context(), o, &harness.Faults[k])
		if err == nil && strings.Contains(outcome.Says, "two in their critical sections while one was stopped") {
			require.True(t, outcome.Claimed && outcome.Two && outcome.Violates(), "%+v", outcome)
			return
		}
	}
	t.Error("two were never inside at once")
}

// The table of distributed/docs/network.md is of all faults and of the algorithms that are
// played without -alg, with what they claim in bold; none of that stops.
func TestFaultsOfTheDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/network.md")
	require.NoError(t, err)
	header := []string{"algorithm"}
	for _, f := range harness.Faults {
		header = append(header, f.Name)
	}
	_, table, found := strings.Cut(string(text), "| "+strings.Join(header, " | ")+" |\n")
	require.True(t, found, "a table of %v", header)
	var documented []string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if strings.HasPrefix(line, "|---") {
			continue
		}
		if len(cells) != len(header) {
			break // it is over
		}
		name := strings.Trim(cells[0], "`")
		documented = append(documented, name)
		a, err := algorithms().Get(name)
		require.NoError(t, err)
		for k := range harness.Faults {
			cell := cells[k+1]
			require.Equal(t, harness.Faults[k].Claimed(a), strings.HasPrefix(cell, "**"), "%s, %s: %s", name, header[k+1], cell)
			require.NotRegexp(t, `^\*\*(stop|.*two inside)`, cell)
			require.NotContains(t, cell, "LOST")
		}
	}
	var played []string
	for _, a := range catalog.All {
		if regexp.MustCompile(usualAlgs).MatchString(a.Name) {
			played = append(played, a.Name)
		}
	}
	require.Equal(t, played, documented)
}

// A restart of the server loses neither the lease of a holder nor what the threads
// have written.
func TestServerRestartsUnderALease(t *testing.T) {
	t.Parallel()
	o := options(t, "jetstream-lease", "one", 3, 3)
	o.TCP, o.KV, o.Lease = false, true, long
	r := begun(t, o)
	require.NoError(t, r.Enter(1))
	r.Ask(2)
	require.NoError(t, r.RestartServer())
	require.NoError(t, r.Leave(1))
	require.NoError(t, r.Inside(2))
	require.NoError(t, r.RestartServer())
	require.NoError(t, r.Leave(2))
	require.NoError(t, r.Enter(0))
	require.NoError(t, r.Leave(0))
	result, _, err := r.Judge()
	require.NoError(t, err)
	require.NoError(t, judged(result.History), result.History.Detail)
	require.Equal(t, int64(3), result.Resource.Value)
	require.Equal(t, 3, result.History.Entries)
}

// distributed/docs/lock.md says of every algorithm why it is not offered as a lock for programs,
// and the reason follows from the claims of its specification.
func TestReasonsOfTheDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/lock.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| algorithms | why they may not protect something |\n")
	require.True(t, found)
	reasons := map[string]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 2 {
			if strings.HasPrefix(line, "|---") {
				continue
			}
			break // it is over
		}
		for name := range strings.SplitSeq(cells[0], ", ") {
			reasons[strings.Trim(name, "`")] = cells[1]
		}
	}
	for _, a := range catalog.All {
		reason, told := reasons[a.Name]
		require.True(t, told, a.Name)
		switch {
		case !a.Claims.Crash:
			require.Contains(t, reason, "survive no crash", a.Name)
		case a.Claims.Wins == nil:
			require.Contains(t, reason, "claim nothing in a partition", a.Name)
		case a.Apart:
			require.Contains(t, reason, "the register is one process", a.Name)
		default:
			require.Contains(t, reason, "keep nothing on a disk", a.Name)
		}
	}
	require.Len(t, reasons, len(catalog.All))
}
