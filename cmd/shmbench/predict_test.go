package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/race"
)

// TestPredict: the table, the file and the reasons agree, and say that they are of a
// model.
func TestPredict(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("runs the compiler")
	}
	file := filepath.Join(t.TempDir(), "points.txt")
	out, diag, status := shmbench(t.Context(), "predict", "-machine", "graviton3", "-alg", "^(queue/(mcs|ticket)|dekker/dekker)$", "-procs", "1,4", "-explain", "-o", file)
	require.Equal(t, exitHolds, status, diag)
	require.Equal(t, "not for 4 processes, and skipped there: dekker/dekker\n", diag)
	require.True(t, strings.HasPrefix(out, "A model of graviton3 (sockets=1,cores=64), not a measurement; fitted to nothing; "), out)
	require.Regexp(t, `(?m)^procs=4 cs=0 ncs=0\n.*\n +1 +queue/`, out)
	require.Regexp(t, `queue/ticket.go:\d+ +nowServing +load +cores \d`, out)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "\nmodel: graviton3\n")
	require.Contains(t, string(text), "\nabout: a model of graviton3 (")
	require.Regexp(t, `\nBenchmarkPassage/alg=queue-ticket/procs=4/cs=0/ncs=0 +\d+ +[\d.]+ ns/op`, string(text))
	require.Contains(t, string(text), "\nended: complete\n")
	require.Equal(t, 5, strings.Count(string(text), "\nBenchmark"))

	t.Chdir("../..")
	out, diag, status = shmbench(t.Context(), "predict", "-pkg", "./check/testdata/locks", "-new", "NewNothing", "-procs", "16", "-cs", "100ns")
	require.Equal(t, exitViolated, status, diag)
	require.Equal(t, "locks.NewNothing with 16 processes: two processes were in their critical sections at once\n", diag)
	require.NotContains(t, out, "ns/op\ttimes")

	t.Chdir("examples/ownlock")
	out, diag, status = shmbench(t.Context(), "predict", "-pkg", ".", "-procs", "2", "-json", "-explain")
	require.Equal(t, exitHolds, status, diag)
	var results struct {
		About   string
		Machine struct{ Name string }
		Points  []struct {
			Name     string
			Passages uint64
			Sites    []struct{ Source string }
		}
	}
	decode(t, out, &results)
	require.Equal(t, "epyc-7742", results.Machine.Name)
	require.Len(t, results.Points, 1)
	require.Equal(t, "Passage/alg=ownlock.New/procs=2/cs=0/ncs=0", results.Points[0].Name)
	require.Contains(t, results.Points[0].Sites[0].Source, "ownlock/")
}

// What cannot be predicted is said in a line.
func TestPredictRefuses(t *testing.T) {
	for line, says := range map[string]string{
		"-machine graviton9":             "-machine: there is no machine \"graviton9\": name a file, or one of epyc-7742, graviton3, xeon-8275cl",
		"-machine graviton3 -procs 1,65": "-procs 1,65: graviton3 has 64 processors, and more processes than processors are out of the model",
		"-procs 0":                       "-procs 0: epyc-7742 has 256 processors, and more processes than processors are out of the model",
		"-alg ^baseline/mutex$":          "-alg ^baseline/mutex$: its accesses are inside the Go runtime, where no model sees them",
		"-pkg . -alg tas":                "-pkg goes without -alg: the lock of a package, or those of the catalogue",
		"-new New":                       "-new goes with -pkg",
		"-passages 0":                    "-passages 0: each process makes 1 to 1000000",
		"-accesses 10":                   "-accesses 10: a point has 1000 or more",
		"-o -":                           "-o -: the points go to a file with a name; standard output gets the table",
		"-cs 1h":                         "critical section of 1h0m0s: it must take 0 to 1s",
		"-pkg ./nope -procs 1":           "-pkg ./nope: go list failed: ",
		"-machine predict_test.go":       "-machine: predict_test.go: this is no machine: ",
	} {
		out, diag, status := shmbench(t.Context(), append([]string{"predict"}, strings.Fields(line)...)...)
		require.Equal(t, exitUsage, status, line)
		require.Empty(t, out, line)
		require.True(t, strings.HasPrefix(diag, "shmbench predict: "+says), "%s: %s", line, diag)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
	}
}

// The presets say what is known of them.
func TestPredictMachines(t *testing.T) {
	out, _, status := shmbench(t.Context(), "predict", "-machines")
	require.Equal(t, exitHolds, status)
	require.Contains(t, out, "epyc-7742: 256 processors, sockets=2,dies=8,complexes=2,cores=4,threads=2\n")
	require.Contains(t, out, "a model of xeon-8275cl (sockets=2,cores=24,threads=2), not a measurement")
}
