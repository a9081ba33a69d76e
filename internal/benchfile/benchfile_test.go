package benchfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/internal/benchfile"
	"shmbench/internal/topo"
)

var line = bench.Line{
	Name:       "Passage/alg=queue-mcs/procs=2/cs=0/ncs=0",
	Iterations: 1000,
	Values:     []bench.Value{{Value: 81.5, Unit: "ns/op"}, {Value: 0.25, Unit: "jain"}},
}

var config = []topo.Pair{{Key: "cpu", Value: "Fast One"}, {Key: "wait", Value: "busy"}}

func TestWhatIsWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	w, err := benchfile.Create(path, config)
	require.NoError(t, err)
	require.NoError(t, w.Write(line))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "Unit jain better=higher\n")
	require.True(t, strings.HasSuffix(string(text), "\ncpu: Fast One\nwait: busy\n\nBenchmark"+line.Name+" 1000 81.5 ns/op 0.25 jain\n"),
		"there before the file is closed, and configured: %s", text)
	require.NoError(t, w.Close())

	f, err := benchfile.Open(path)
	require.NoError(t, err)
	require.Len(t, f.Results, 1)
	r := f.Results[0]
	require.Equal(t, line.Name, string(r.Name))
	require.Equal(t, "busy", r.GetConfig("wait"))
	ns, ok := r.Value("sec/op")
	require.True(t, ok)
	require.InDelta(t, 81.5e-9, ns, 1e-15)
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	require.NoError(t, os.WriteFile(path, []byte("results"), 0o666))
	_, err := benchfile.Create(path, config)
	require.ErrorContains(t, err, "has results already")
	text, _ := os.ReadFile(path)
	require.Equal(t, "results", string(text))
	_, err = benchfile.Create(filepath.Join(path, "no"), config)
	require.Error(t, err)
}

const good = "cpu: x\n\nBenchmarkA/b=1 10 5 ns/op\n"

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "f: no benchmark results in it",
		"PK\x03\x04\x00\x00":               "f: no benchmark results in it",
		"<html>\n</html>\n":                "f: no benchmark results in it",
		good + "BenchmarkA/b=1 10 5":       "f:4: missing units: this is no whole file of benchmark results",
		good + "BenchmarkA/b=1 10 ":        "f:4: missing measurements: this is no whole",
		good + "BenchmarkA/b=1 10 7 ns/op": "f: the last line is broken off",
		good + "BenchmarkA/b=1 10 7 n":     "f: the last line is broken off",
		good + "BenchmarkA x 5 ns/op\n":    "f:4: parsing iteration count: invalid syntax: this is no whole",
		strings.Repeat("x", 1<<17):         "token too long: this is no file of benchmark results",
	} {
		_, err := benchfile.Read(strings.NewReader(text), "f")
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := benchfile.Open(filepath.Join(t.TempDir(), "missing"))
	require.ErrorContains(t, err, "missing")
}

// Whatever is in a file, reading it ends with results or with one line that
// names the file; and what was read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("Unit ns/op better=lower\n" + good))
	f.Add([]byte(good + "BenchmarkA/b=1 10 7"))
	f.Add([]byte("cpu:\nBenchmark 1 NaN ns/op\n"))
	f.Add([]byte{0xff, 'B', 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := benchfile.Read(bytes.NewReader(data), "f")
		if err != nil {
			require.Contains(t, err.Error(), "f:")
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, file.Results)
		var out closer
		w, err := benchfile.NewWriter(&out, config)
		require.NoError(t, err)
		require.NoError(t, w.Write(line))
		again, err := benchfile.Read(&out, "f")
		require.NoError(t, err)
		require.Len(t, again.Results, 1)
	})
}

type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }
