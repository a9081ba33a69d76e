package benchfile_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/machine/topo"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/baseline"
)

var update = flag.Bool("update", false, "rewrite the golden file")

const golden = "testdata/run.golden"

// goldenLines are lines of every kind that there is: the machine, locks under all
// sorts of load, the null lock, how quiet the machine was, and several programs.
func goldenLines() (lines []bench.Line) {
	value := func(v float64, unit string) []bench.Value { return []bench.Value{{Value: v, Unit: unit}} }
	for fork := range 2 {
		w := func(w bench.Workload) string { return w.Name("queue/mcs-padded") }
		of := []bench.Line{
			{Name: bench.Cost{Op: "cas-uint32"}.Name(), Iterations: 15000, Values: value(2.0325, "ns/op")},
			{Name: w(bench.Workload{Procs: 2}), Iterations: 123456, Values: []bench.Value{
				{Value: 81.528349, Unit: "ns/op"}, {Value: 1.2265672841e+07, Unit: "acq/s"}, {Value: 0.25, Unit: "jain"}, {Value: 0, Unit: "allocs/op"}}},
			{Name: bench.Workload{Procs: 1}.Name(baseline.Null.Name), Iterations: 5, Values: value(4.5, "ns/op")},
			{Name: w(bench.Workload{Procs: 2, CS: 100, NCS: time.Microsecond, Lines: 3}), Iterations: 7, Values: value(412, "ns/op")},
			{Name: w(bench.Workload{Procs: 2, Rate: 2.5e+06}), Iterations: 7, Values: value(1e-05, "reached")},
			{Name: w(bench.Workload{Procs: 2, Readers: 0.9}), Iterations: 7, Values: value(412, "ns/op")},
			{Name: "Quiet", Iterations: 1, Values: []bench.Value{{Value: 0.013, Unit: "other-load"}, {Value: 0, Unit: "stolen"}}},
		}
		for i := range of {
			of[i].Fork = fork + 1
		}
		lines = append(lines, of...)
	}
	return lines
}

// goldenFile is a file that has goldenLines, complete or not.
func goldenFile(t *testing.T, command, missing string) []byte {
	t.Helper()
	var out closer
	w, err := benchfile.NewWriter(&out, []topo.Pair{
		{Key: "goos", Value: "linux"}, {Key: "goarch", Value: "amd64"}, {Key: "cpu", Value: "AMD EPYC 7763 64-Core Processor                "},
		{Key: "kernel", Value: "Linux 6.18"}, {Key: "gomaxprocs", Value: "2"}, {Key: "go", Value: "go1.26.8"},
		{Key: "pin", Value: "false"}, {Key: "wait", Value: "pause-yield"}, {Key: "command", Value: command},
		{Key: "lock/queue/mine", Value: `{"name": "queue/mine", "claims": {"bypass": "n-1"}}`},
	})
	require.NoError(t, err)
	for _, l := range goldenLines() {
		require.NoError(t, w.Write(l))
	}
	require.NoError(t, w.End(missing))
	return out.Bytes()
}

const goldenCommand = "shmbench run -alg='^queue/mcs(-padded)?$' -o=run.txt"

// The form of a file is kept: others read it.
func TestTheFormIsKept(t *testing.T) {
	text := goldenFile(t, goldenCommand, "")
	if *update {
		require.NoError(t, os.WriteFile(golden, text, 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(text))
}

// parsed is what a parser has read: "name iterations value unit", for each value.
type parsed []string

func (p *parsed) add(name string, iterations int, value float64, unit string) {
	*p = append(*p, fmt.Sprint(name, " ", iterations, " ", value, " ", unit))
}

// wanted is what each parser must have read.
func wanted(prefix string) (all parsed) {
	for _, l := range goldenLines() {
		for _, v := range l.Values {
			all.add(prefix+l.Name+"-2", int(l.Iterations), v.Value, v.Unit)
		}
	}
	return all
}

// githubAction is the regular expression by which github-action-benchmark reads a line
// of Go's (github.com/benchmark-action/github-action-benchmark, src/extract.ts,
// function extractGoResult, at commit c38cce98215c).
var githubAction = regexp.MustCompile(`^(?P<name>Benchmark\w+[\w()$%^&*-=|,[\]{}"#]*?)(?P<procs>-\d+)?\s+(?P<times>\d+)\s+(?P<remainder>.+)$`)

// parseGithubAction reads what that function reads: sections by "pkg:", lines by the
// expression, and pairs of a value and a unit behind runs of blanks.
func parseGithubAction(text string) (all parsed, err error) {
	for _, line := range regexp.MustCompile(`\r?\n`).Split(text, -1) {
		m := githubAction.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		times, err := strconv.Atoi(m[3])
		if err != nil {
			return nil, err
		}
		pieces := regexp.MustCompile(`[ \t]+`).Split(m[4], -1)
		for i := 0; i+1 < len(pieces); i += 2 {
			value, err := strconv.ParseFloat(pieces[i], 64)
			if err != nil {
				return nil, err
			}
			all.add(m[1]+m[2], times, value, pieces[i+1])
		}
	}
	return all, nil
}

// parseGobenchdata reads what gobenchdata reads (github.com/bobheadxi/gobenchdata,
// bench/parser.go, functions Read, readBenchmarkSuite and readBenchmark, at commit
// 10bbd9c63ecf): from a line "goos:" to a line PASS or FAIL, without which it
// fails; fields behind single tabs, trimmed of blanks, and in each a value, one
// blank and a unit.
func parseGobenchdata(text string) (all parsed, err error) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case !inside:
			inside = strings.HasPrefix(line, "goos:")
		case strings.HasPrefix(line, "PASS") || strings.HasPrefix(line, "FAIL"):
			inside = false
		case strings.HasPrefix(line, "goarch:") || strings.HasPrefix(line, "pkg:"):
			if !strings.Contains(line, ": ") {
				return nil, errors.New("it panics: " + line)
			}
		case strings.HasPrefix(line, "Benchmark"):
			fields := strings.Split(line, "\t")
			if len(fields) < 2 {
				return nil, errors.New("could not parse run: " + line)
			}
			runs, err := strconv.Atoi(strings.Trim(fields[1], " "))
			if err != nil {
				return nil, err
			}
			for _, field := range fields[2:] {
				parts := strings.Split(strings.Trim(field, " "), " ")
				if len(parts) < 2 {
					return nil, errors.New("expected two parts in value: " + line)
				}
				value, err := strconv.ParseFloat(parts[0], 64)
				if err != nil {
					return nil, err
				}
				all.add(strings.Trim(fields[0], " "), runs, value, parts[1])
			}
		}
	}
	if inside {
		return nil, errors.New("EOF in a suite")
	}
	return all, nil
}

// Parsers that others wrote read every line of a file, of one that is not complete,
// too, and fail on or miss lines of the old form.
func TestOtherParsersReadEveryLine(t *testing.T) {
	parsers := map[string]func(string) (parsed, error){"github-action-benchmark": parseGithubAction, "gobenchdata": parseGobenchdata}
	for name, parse := range parsers {
		for _, missing := range []string{"", "interrupted after 12 of 128 samples"} {
			got, err := parse(string(goldenFile(t, goldenCommand, missing)))
			require.NoError(t, err, name)
			require.Equal(t, wanted("Benchmark"), got, name)
		}
	}
	// What gobenchdata cannot read, and the old form had.
	whole := string(goldenFile(t, goldenCommand, ""))
	for _, bad := range []string{strings.ReplaceAll(whole, "\t", " "), strings.ReplaceAll(whole, "PASS", ""), strings.ReplaceAll(whole, "goos: linux\n", "")} {
		got, err := parseGobenchdata(bad)
		require.True(t, err != nil || len(got) == 0)
	}
}

// benchstat compares two files with each other, lock by lock, whatever the commands
// were, and the line for several processors puts these side by side.
func TestBenchstatComparesFiles(t *testing.T) {
	sample.NeedsAll(t)
	dir := t.TempDir()
	old, now, other := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt"), filepath.Join(dir, "other.txt")
	text := goldenFile(t, "shmbench run -o=new.txt", "")
	require.NoError(t, os.WriteFile(old, goldenFile(t, "shmbench run -o=old.txt", ""), 0o666))
	require.NoError(t, os.WriteFile(now, text, 0o666))
	require.NoError(t, os.WriteFile(other, bytes.ReplaceAll(text, []byte("cpu: AMD"), []byte("cpu: Intel")), 0o666))
	benchstat := func(args ...string) string {
		out, err := exec.Command("go", append([]string{"tool", "benchstat"}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	out := benchstat("-filter", ".unit:ns/op", old, now)
	require.Equal(t, 1, strings.Count(out, "vs base"), out)
	require.Regexp(t, `(?m)^Passage/alg=queue-mcs-padded/procs=2/cs=0/ncs=0-2 .* 81\.53n .* 81\.53n .*~ \(p=1\.000 n=2\)`, out)
	out = benchstat("-table", "/procs", "-col", "cpu", "-row", "/alg", "-filter", ".name:Passage /cs:0 -/readers:0.9 .unit:ns/op", now, other)
	require.Regexp(t, `(?m)AMD EPYC.*│.*Intel EPYC`, out)
	require.Regexp(t, `(?m)^queue-mcs-padded .* 81\.53n .* 81\.53n .*~ \(p=1\.000 n=2\)`, out)
	require.NotContains(t, out, "vary")
}
