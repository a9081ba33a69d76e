package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/catalog"
	"shmbench/internal/results/stat"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// quick are flags that make a run short: two algorithms, one sample.
func quick(more ...string) []string {
	return append([]string{"run", "-alg", "^(peterson/peterson|queue/ticket)$", "-d", "50ms", "-count", "1"}, more...)
}

func TestRunRanks(t *testing.T) {
	out, diag, status := shmbench(t.Context(), quick("-procs", "1,3")...)
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "Null lock (the harness itself): ")
	require.Contains(t, out, "\nprocs=1 cs=0 ncs=0, 1 sample each\n")
	require.Contains(t, out, " peterson/peterson ")
	require.Contains(t, out, " queue/ticket ")
	require.Contains(t, diag, "not for 3 processes, and skipped there: peterson/peterson\n")
	require.NotContains(t, diag, "\r", "no progress line off a terminal")
}

func TestRunWritesAFileAndJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.txt")
	out, diag, status := shmbench(t.Context(), quick("-procs", "1", "-cs", "50ns", "-wait", "yield", "-json", "-o", path)...)
	require.Equal(t, exitHolds, status, diag)
	require.Equal(t, spin.PauseYield, spin.InUse(), "the policy is this run's only")

	file, err := benchfile.Open(t.Context(), path, nil)
	require.NoError(t, err)
	passages := slices.DeleteFunc(slices.Clone(file.Results), func(r *benchfmt.Result) bool {
		return bench.AboutMachine(r.Name)
	})
	last := passages[len(passages)-1]
	require.Equal(t, "Passage/alg=queue-ticket/procs=1/cs=50/ncs=0", string(last.Name))
	for _, key := range []string{"goos", "cpu", "cores", "caches", "governor", "kernel", "go", "commit", "counters"} {
		require.NotEmpty(t, last.GetConfig(key), key)
	}
	require.Equal(t, "yield", last.GetConfig("wait"))
	require.Equal(t, "false", last.GetConfig("pin"))
	require.Equal(t, "shmbench run -alg='^(peterson/peterson|queue/ticket)$' -count=1 -cs=50ns -d=50ms -json=true -o="+path+" -procs=1 -wait=yield",
		last.GetConfig("command"))

	var parsed struct {
		Answers []string
		Config  map[string]string
		Lines   []struct {
			Name   string
			Values []struct {
				Unit  string
				Value float64
			}
		}
	}
	decode(t, out, &parsed)
	require.NotEmpty(t, parsed.Answers)
	require.Equal(t, "yield", parsed.Config["wait"])
	require.Len(t, parsed.Lines, len(file.Results))
	require.Equal(t, "ns/op", parsed.Lines[0].Values[0].Unit)
}

// Each line of input that is wrong gets one line that says so, before anything
// is measured.
func TestRunRefuses(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full.txt")
	require.NoError(t, os.WriteFile(full, []byte("BenchmarkA 1 1 ns/op\n"), 0o666))
	for _, c := range []struct{ args, want string }{
		{"-alg ^$", `-alg ^$: no lock matches`},
		{"-alg ticke", ""}, // matches
		{"-alg tickte", `did you mean "queue/ticket"?`},
		{"-alg (", "-alg (: this is no regular expression"},
		{"-procs 0", "-procs 0: the number of processes must be between 1 and 1024"},
		{"-procs 1025", "-procs 1025: the number of processes must be between 1 and 1024"},
		{"-procs -1", "-procs -1: the number of processes"},
		{"-procs 1,x", `"x" is not a whole number; a list is like 1,2,4`},
		{"-alg peterson/peterson -procs 3", "nothing to measure: peterson/peterson: cannot be built for n = 3, only for 1 to 2"},
		{"-procs 1000 -pin", "pin"},
		{"-cs -1ns", "-cs -1ns: the time in the critical section must be between 0s and 1s"},
		{"-cs 99s", "-cs 99s: the time in the critical section"},
		{"-ncs -5ns", "-ncs -5ns: the time between critical sections"},
		{"-ncs 1.5", "-ncs 1.5: write a time with its unit"},
		{"-rate -1", "-rate -1: write a number of arrivals a second between 0"},
		{"-rate NaN", "-rate NaN: write"},
		{"-rate 10 -ncs 10ns", "a rate cannot be combined with work between critical sections"},
		{"-readers 1.5", "-readers 1.5: the share of readers must be between 0 and 1"},
		{"-rate 10 -readers 0.5", "a rate cannot be combined with readers"},
		{"-d -1s", "-d -1s: the time of a sample must be between 1ms and 1m"},
		{"-d 9999h", "-d 9999h: the time of a sample"},
		{"-d soon", "-d soon: write a time"},
		{"-count 0", "-count 0: the number of samples must be between 1 and 1000"},
		{"-count -3", "-count -3"},
		{"-forks 0", "-forks 0: the number of programs must be between 1 and 1000"},
		{"-forks 2", "-forks 2: the number of programs must be at most 1"},
		{"-cs-body none", "-cs-body none: the body of the critical section must be check or touch"},
		{"-cs-body touch -rate 10", "-cs-body touch cannot be combined with -rate"},
		{"-cs-body touch -readers 0.5", "-cs-body touch cannot be combined with -readers"},
		{"-cs-lines -1", "-cs-lines -1: the number of cache lines must be between 0 and 65536"},
		{"-pin=sockets", "pinned to cores or to threads"},
		{"-rate sweep -readers 0.5", "-rate sweep cannot be combined with -readers"},
		{"./mylock -kill-rate 1", "./mylock cannot be combined with -kill-rate"},
		{"-wait sleep", "-wait sleep: the waiting policy must be pause-yield, busy, pause, yield, turns or os-yield"},
		{"-o " + dir, "this is a folder: name a file in it"},
		{"-o -", "-o -: name a file: standard output gets everything else"},
		{"-o " + full, "has results already"},
		{"-o " + filepath.Join(dir, "no", "file"), "there is no folder "},
		{"-frobnicate", "no flag -frobnicate"},
		{"results.txt", "-alg results.txt: no lock matches"},
		{"-procs 1 -procs 2", "-procs is given twice"},
	} {
		args := append([]string{"run"}, strings.Fields(c.args)...)
		for flag, value := range map[string]string{"-d": "50ms", "-count": "1", "-procs": "1"} {
			if !slices.Contains(args, flag) {
				args = append(args, flag, value)
			}
		}
		_, diag, status := shmbench(t.Context(), args...)
		if c.want == "" {
			require.Equal(t, exitHolds, status, diag)
			continue
		}
		lines := strings.Split(strings.TrimSuffix(diag, "\n"), "\n")
		last := lines[len(lines)-1]
		require.Equal(t, exitUsage, status, c.args)
		require.Contains(t, last, c.want)
		require.True(t, strings.HasPrefix(last, "shmbench run: "), last)
	}
}

// untilMeasured returns a context that ends when a results file has a sample of queue/ticket.
func untilMeasured(t *testing.T, path string) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for text := []byte(nil); ctx.Err() == nil && !bytes.Contains(text, []byte("alg=queue-ticket/")); time.Sleep(time.Millisecond) {
			text, _ = os.ReadFile(path)
		}
	}()
	return ctx
}

// Canceled in the middle, a run keeps and prints what it has.
func TestRunInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.txt")
	ctx := untilMeasured(t, path)
	line := quick("-procs", "1", "-o", path)
	line[slices.Index(line, "-count")+1] = "1000"
	out, diag, status := shmbench(ctx, line...)
	require.Equal(t, exitUndecided, status, diag)
	require.Regexp(t, `interrupted after \d+ of 2000 samples\n`, diag)
	require.Contains(t, out, " queue/ticket ")
	file, err := benchfile.Open(t.Context(), path, nil)
	require.NoError(t, err, "the file is whole")
	require.Regexp(t, `^interrupted after \d+ of 2000 samples$`, file.Incomplete)
}

// closedPipe is a pipe whose reader has gone.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) {
	return 0, fmt.Errorf("write |1: %w", syscall.EPIPE)
}

func TestRunIntoAClosedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.txt")
	for _, more := range [][]string{nil, {"-json"}} {
		os.Remove(path)
		var diag bytes.Buffer
		status := run(t.Context(), env{Stdout: closedPipe{}, Stderr: &diag}, append(quick("-procs", "1", "-o", path), more...))
		require.Equal(t, exitHolds, status, diag.String())
		_, err := benchfile.Open(t.Context(), path, nil)
		require.NoError(t, err)
	}
}

// The interval of the median of as many samples as there are by default goes as
// far up as down.
func TestDefaultCountHasASymmetricInterval(t *testing.T) {
	values := make([]float64, defaultCount)
	for i := range values {
		values[i] = float64(1 + i)
	}
	s := stat.Summary(values)
	require.Equal(t, float64(defaultCount+1), s.Lo+s.Hi)
	require.InDelta(t, 0.95, s.Confidence, 0.02)
}

func TestDefaultProcs(t *testing.T) {
	procs := defaultProcs(false)
	require.Equal(t, []int{1, 2}, procs[:2])
	for _, n := range defaultProcs(true) {
		require.LessOrEqual(t, n, procs[len(procs)-1])
	}
}

// Each fork is a program of its own, and counts as one sample.
func TestRunForks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.txt")
	out, diag, status := shmbench(t.Context(), "run", "-alg", "^queue/ticket$", "-d", "10ms", "-procs", "1", "-count", "5", "-forks", "2", "-wait", "yield", "-o", path)
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "\nprocs=1 cs=0 ncs=0, 2 samples each\n")
	require.Contains(t, diag, "5 measurements in 2 programs: 2 samples; a median of fewer than 6 samples has no interval\n")
	file, err := benchfile.Open(t.Context(), path, nil)
	require.NoError(t, err)
	forks := map[string]int{}
	for _, r := range file.Results {
		if strings.HasPrefix(string(r.Name), "Passage/alg=queue-ticket") {
			forks[r.GetConfig("fork")]++
		}
		require.Equal(t, "yield", r.GetConfig("wait"))
	}
	require.Equal(t, map[string]int{"1": 2, "2": 3}, forks)
}

func TestRunForksInterrupted(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.txt")
	out, diag, status := shmbench(untilMeasured(t, path), "run", "-alg", "^queue/ticket$", "-d", "10ms", "-procs", "1", "-count", "1000", "-forks", "500", "-o", path)
	require.Equal(t, exitUndecided, status)
	require.Contains(t, diag, "interrupted after ")
	require.Contains(t, out, " queue/ticket ")
}

func TestRunWritesCacheLines(t *testing.T) {
	out, diag, status := shmbench(t.Context(), quick("-procs", "2", "-cs-lines", "3", "-pin")...)
	if strings.Contains(diag, "pin") {
		t.Skip(diag)
	}
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "\nprocs=2 cs=0 ncs=0 lines=3, 1 sample each\n")
}

// TestRunNamesTheBody: the file says what the critical sections do, and compare keeps the two
// bodies apart, also within one file.
func TestRunNamesTheBody(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, body := range []string{"check", "touch"} {
		out, diag, status := shmbench(t.Context(), quick("-procs", "2", "-cs-body", body, "-o", file(body))...)
		require.Equal(t, exitHolds, status, diag)
		require.Equal(t, body == "touch", strings.Contains(out, "\nprocs=2 cs=0 ncs=0 touch=1, 1 sample each\n"), out)
	}
	_, diag, status := shmbench(t.Context(), "compare", file("check"), file("touch"))
	require.Equal(t, exitUsage, status)
	require.Regexp(t, `the files have no benchmark with a value in ns/op in common: \S+check has Passage/\S+/ncs=0(-\d+)?, \S+touch has Passage/\S+/touch=1(-\d+)?\n`, diag)
	text, err := os.ReadFile(file("touch"))
	require.NoError(t, err)
	require.NotRegexp(t, `(?m)^BenchmarkPassage/(.*ncs=0(-\d+)?\t)`, string(text), "the null lock too has this body")
	both, err := os.ReadFile(file("check"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file("both"), append(both, text...), 0o644))
	out, diag, status := shmbench(t.Context(), "compare", file("both"), file("both"))
	require.Equal(t, exitHolds, status, diag)
	require.Contains(t, out, "Passage/alg=queue-ticket/procs=2/cs=0/ncs=0/touch=1")
	require.Regexp(t, `Passage/alg=queue-ticket/procs=2/cs=0/ncs=0[- ]`, out)
}

// Released stores are measured when they are asked for.
func TestRunMeasuresReleasedStoresByName(t *testing.T) {
	for alg, want := range map[string][]string{
		"":               nil,
		"^tas/t":         {"tas/tas-released", "tas/ttas-released"},
		"^bakery/l.*ed$": {"bakery/lamport-released"},
	} {
		f := &runFlags{fs: flag.NewFlagSet("run", flag.ContinueOnError)}
		f.declare()
		f.selection.alg = alg
		s, err := f.experiment(io.Discard)
		require.NoError(t, err)
		var released []string
		for _, a := range s.Algorithms {
			if a.Stores == shm.Released {
				released = append(released, a.Name)
			}
		}
		require.Equal(t, want, released)
	}
}

// TestWhatIsMeasured: without -alg it is the short list, and . is all.
func TestWhatIsMeasured(t *testing.T) {
	names := func(args ...string) (names []string) {
		f := &runFlags{fs: flag.NewFlagSet("run", flag.ContinueOnError)}
		f.declare()
		require.NoError(t, f.fs.Parse(args))
		suite, err := f.experiment(io.Discard)
		require.NoError(t, err)
		for _, a := range suite.Algorithms {
			names = append(names, a.Name)
		}
		return names
	}
	var short, all []string
	for _, a := range catalog.Short() {
		short = append(short, a.Name)
	}
	for _, a := range catalog.All() {
		all = append(all, a.Name)
	}
	require.Equal(t, short, names())
	require.Equal(t, all, names("-alg", "."))
	out, _, code := shmbench(t.Context(), "list", "-short")
	require.Equal(t, exitHolds, code)
	require.Equal(t, len(short)+1, strings.Count(out, "\n"))
	require.Contains(t, out, "queue/mcs ")
	require.Contains(t, out, "what a Go program would use\n")
}
