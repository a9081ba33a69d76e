package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/report"
	"shmbench/shm"
)

// TestCheapest: of the locks that have a property for so many processes it is the
// one with the least median, and no lock that is not ranked or that is unknown.
func TestCheapest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.txt")
	text := "Unit ns/op better=lower\n"
	for i := range 9 {
		for name, ns := range map[string]int{
			"tas-tas/procs=2": 10, "peterson-asymmetric/procs=2": 20, "peterson-peterson/procs=2": 30, "queue-ticket/procs=2": 25,
			"bakery-lamport/procs=2": 40, "stranger-lock/procs=2": 1, "tas-tas/procs=3": 11, "peterson-filter/procs=3": 12, "bakery-lamport/procs=3": 50,
		} {
			text += fmt.Sprintf("BenchmarkPassage/alg=%s/cs=0/ncs=0 1000 %d ns/op\n", name, ns+i)
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	find := func(args ...string) map[string]string {
		out, diag, code := shmbench(t.Context(), append([]string{"list", "-json", "-cheapest", path}, args...)...)
		require.Equal(t, exitHolds, code, diag)
		require.Contains(t, diag, "not in the catalog, and without a specification: stranger/lock\n")
		var all allCheapest
		decode(t, out, &all)
		found := map[string]string{}
		for _, c := range all.Cheapest {
			require.Equal(t, "cs=0 ncs=0", c.Workload)
			require.Less(t, *c.Low, c.NS)
			require.Greater(t, *c.High, c.NS)
			found[fmt.Sprintf("%s, %d", c.Property, c.Procs)] = c.Algorithm
		}
		return found
	}
	all := find()
	for property, want := range map[string]string{
		"deadlock-free, 2":                              "tas/tas",
		"starvation-free, 2":                            "queue/ticket",
		"bounded bypass, 2":                             "queue/ticket",
		"reads and writes, deadlock-free, 2":            "peterson/asymmetric",
		"reads and writes, first come, first served, 2": "peterson/peterson",
		"safe registers, starvation-free, 2":            "bakery/lamport",
		"local spin, distributed memory, 2":             "",
		"starvation-free, 3":                            "peterson/filter",
		"bounded bypass, 3":                             "bakery/lamport",
		"the same with bounded registers, 2":            "peterson/peterson",
		"the same with bounded registers, 3":            "",
	} {
		require.Equal(t, want, all[property], property)
	}
	require.Equal(t, "peterson/asymmetric", find("-class", "rw")["deadlock-free, 2"])
	out, _, code := shmbench(t.Context(), "list", "-cheapest", path)
	require.Equal(t, exitHolds, code)
	require.Regexp(t, `(?m)^cs=0 ncs=0 +procs=2 +procs=3$`, out)
	require.Regexp(t, `(?m)^starvation-free +queue/ticket 29 \[\d+, \d+\] +peterson/filter 16 \[\d+, \d+\]$`, out)
	require.Regexp(t, `(?m)^the same with bounded registers +peterson/peterson 34 .* -$`, out)
	none, _, code := shmbench(t.Context(), "list", "-cheapest", path, "-alg", "^baseline/")
	require.Equal(t, exitHolds, code)
	require.True(t, strings.HasPrefix(none, "No recommendation: sync.Mutex was not measured, "), none)
	require.True(t, strings.HasSuffix(none, "\n\nNo measured lock has these properties.\n"), none)
	_, diag, code := shmbench(t.Context(), "list", "-cheapest", path+"no")
	require.Equal(t, exitUsage, code)
	require.Contains(t, diag, "run.txtno")

	// What "go test -cpu 1,2" measures is told apart.
	two := filepath.Join(t.TempDir(), "two.txt")
	require.NoError(t, os.WriteFile(two, []byte("BenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0 1000 10 ns/op\nBenchmarkPassage/alg=queue-mcs/procs=2/cs=0/ncs=0-2 1000 99 ns/op\n"), 0o666))
	out, _, code = shmbench(t.Context(), "list", "-cheapest", two)
	require.Equal(t, exitHolds, code)
	require.Regexp(t, `(?s)\n\ngomaxprocs=1 cs=0 ncs=0 +procs=2\ndeadlock-free +tas/tas 10\n.*\ngomaxprocs=2 cs=0 ncs=0 +procs=2\ndeadlock-free +queue/mcs 99\n`, out)

	require.Contains(t, out, "\nFewer than 6 samples have no interval, and may name another lock next time.\n")

	other := filepath.Join(t.TempDir(), "other.txt")
	require.NoError(t, os.WriteFile(other, []byte("BenchmarkSort-2 1000 10 ns/op\n"), 0o666))
	out, diag, code = shmbench(t.Context(), "list", "-cheapest", other)
	require.Equal(t, exitUsage, code)
	require.Empty(t, out)
	require.Equal(t, "shmbench list: -cheapest "+other+": no passage of a lock in it: name a file of shmbench run or go test -bench\n", diag)

	one := filepath.Join(t.TempDir(), "one.txt")
	require.NoError(t, os.WriteFile(one, []byte("BenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0 1000 10 ns/op\n"), 0o666))
	out, _, code = shmbench(t.Context(), "list", "-cheapest", one, "-json")
	require.Equal(t, exitHolds, code)
	require.NotContains(t, out, `"low"`, "one sample has no interval")

	noisy := filepath.Join(t.TempDir(), "noisy.txt")
	require.NoError(t, os.WriteFile(noisy, []byte("BenchmarkQuiet 1 0.83 other-load 0 stolen\n"+text), 0o666))
	const none83 = "No recommendation: other programs used 83 % of this machine. Run it again when it is quiet."
	out, _, code = shmbench(t.Context(), "list", "-cheapest", noisy)
	require.Equal(t, exitHolds, code)
	require.True(t, strings.HasPrefix(out, none83+"\nNo lock certainly takes ten times as long as the fastest.\n"), out)
	for _, args := range [][]string{{"list", "-cheapest", noisy, "-json"}, {"report", "-o", noisy + ".html", noisy, "-json"}} {
		out, _, _ = shmbench(t.Context(), args...)
		var doc struct{ Recommendations []report.Recommendation }
		decode(t, out, &doc)
		require.Equal(t, none83, doc.Recommendations[0].Sentences[0])
	}
	out, _, _ = shmbench(t.Context(), "report", "-o", noisy+".html", noisy)
	require.True(t, strings.HasPrefix(out, none83+"\n"), out)
}

// TestCheapestOfOwn: a lock that is in no catalog counts by the specification that the
// file has of it, and for as many processes as it says.
func TestCheapestOfOwn(t *testing.T) {
	specification := func(a shm.Algorithm) string {
		a.New = func(int) (shm.Mutex, error) { return nil, nil }
		text, err := json.Marshal(bench.SpecifyForFile(a))
		require.NoError(t, err)
		return "# " + bench.SpecificationKey + a.Name + ": " + string(text) + "\n"
	}
	own := specification(shm.Algorithm{Name: "mine/turns", Class: shm.Swap, MinProcs: 1, MaxProcs: 3,
		Claims: shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.TwoProcs}})
	path := filepath.Join(t.TempDir(), "run.txt")
	write := func(text string) {
		for _, name := range []string{"mine-turns/procs=2", "mine-turns/procs=3"} {
			text += "BenchmarkPassage/alg=" + name + "/cs=0/ncs=0 1000 5 ns/op\n"
		}
		for _, name := range []string{"queue-mcs/procs=2", "queue-mcs/procs=3"} {
			text += "BenchmarkPassage/alg=" + name + "/cs=0/ncs=0 1000 9 ns/op\n"
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	write(own)
	out, diag, code := shmbench(t.Context(), "list", "-cheapest", path)
	require.Equal(t, exitHolds, code, diag)
	require.Empty(t, diag)
	require.Regexp(t, `(?m)^starvation-free +mine/turns 5 +mine/turns 5$`, out)
	require.Regexp(t, `(?m)^bounded bypass +mine/turns 5 +queue/mcs 9$`, out)
	require.Regexp(t, `(?m)^first come, first served +queue/mcs 9 +queue/mcs 9$`, out)
	require.Regexp(t, `(?m)^reads and writes, deadlock-free +- +-$`, out)
	out, _, code = shmbench(t.Context(), "list", "-cheapest", path, "-alg", "^mine/", "-class", "swap")
	require.Equal(t, exitHolds, code)
	require.Regexp(t, `(?m)^starvation-free +mine/turns 5 +mine/turns 5$`, out)
	require.NotContains(t, out, "queue/mcs")

	write("")
	_, diag, code = shmbench(t.Context(), "list", "-cheapest", path)
	require.Equal(t, exitHolds, code)
	require.Contains(t, diag, "without a specification: mine/turns")
	write("# lock/mine/turns: {}\n")
	_, diag, code = shmbench(t.Context(), "list", "-cheapest", path)
	require.Equal(t, exitUsage, code)
	require.Contains(t, diag, "what it says about the lock mine/turns is no specification: it names no lock")
	write("# lock/mine/turns: " + strings.SplitN(own, ": ", 2)[1] + "# lock/mine/other: " + strings.SplitN(own, ": ", 2)[1])
	_, diag, code = shmbench(t.Context(), "list", "-cheapest", path)
	require.Equal(t, exitUsage, code)
	require.Contains(t, diag, "what it says about the lock mine/other is no specification: it is that of mine/turns")
}
