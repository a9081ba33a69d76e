package benchfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/machine/topo"
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
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode()&0o111, "no program")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "Unit jain better=higher\n")
	require.True(t, strings.HasSuffix(string(text), "\nwait: busy\npkg: shmbench/bench\ncpu: Fast One\n\nBenchmark"+line.Name+"\t1000\t81.5 ns/op\t0.25 jain\n"),
		"there before the file is closed, and configured: %s", text)
	require.NoError(t, w.End(""))

	f, err := benchfile.Open(t.Context(), path, nil)
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

// Of two that begin with the same file at once, one gets it. The other learns that
// it is not the only one, and leaves nothing in the file.
func TestAFileHasOneWriter(t *testing.T) {
	for i := range 200 {
		path := filepath.Join(t.TempDir(), "out.txt")
		if i%2 == 0 { // as mktemp makes it
			require.NoError(t, os.WriteFile(path, nil, 0o666))
		}
		var writers [4]*benchfile.Writer
		var errs [4]error
		var start, done sync.WaitGroup
		start.Add(1)
		for i := range writers {
			done.Go(func() {
				start.Wait()
				writers[i], errs[i] = benchfile.Create(path, config)
			})
		}
		start.Done()
		done.Wait()
		created := 0
		for i, w := range writers {
			if errs[i] == nil {
				created++
				require.NoError(t, w.Write(line))
				continue
			}
			require.Regexp(t, `out\.txt (is being written by another program|has results already): `, errs[i].Error())
		}
		require.Equal(t, 1, created)
		f, err := benchfile.Open(t.Context(), path, nil)
		require.NoError(t, err)
		require.Len(t, f.Results, 1)
		for _, w := range writers {
			if w != nil {
				require.NoError(t, w.End(""))
			}
		}
	}
}

const good = "cpu: x\n\nBenchmarkA/b=1 10 5 ns/op\n"

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "f: no benchmark results in it",
		"PK\x03\x04\x00\x00": "f: no benchmark results in it",
		"<html>\n</html>\n":  "f: no benchmark results in it",
		"\x1f\x8b\x08\x00":   "f: it is compressed",
		`{"Time":"2026-01-02T03:04:05Z","Action":"start","Package":"shmbench/bench"}` + "\n": "f: it is the output of go test -json: run the benchmarks without -json",
		good + strings.Repeat("x", 1<<20) + "\n":                                             "f: line 4 is longer than 65536 bytes",
		"--- FAIL: BenchmarkA\nFAIL\n":                                                       "f: no benchmark results in it; BenchmarkA failed",
		"BenchmarkA 1":                                                                       "f: no benchmark results in it; cut off in the line BenchmarkA",
		strings.Repeat("x", 1<<17):                                                           "f: line 1 is longer than 65536 bytes",
	} {
		_, err := benchfile.Read(strings.NewReader(text), "f")
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := benchfile.Open(t.Context(), t.TempDir(), nil)
	require.ErrorContains(t, err, "is a directory")
	_, err = benchfile.Open(t.Context(), filepath.Join(t.TempDir(), "missing"), nil)
	require.ErrorContains(t, err, "missing")
}

// A file says how it ended, and one that does not was cut off; a file that
// some other program has written need not.
func TestHowAFileEnded(t *testing.T) {
	for how, want := range map[string]string{"": "", "interrupted after 12 of 128 samples": "interrupted after 12 of 128 samples"} {
		var out closer
		w, err := benchfile.NewWriter(&out, config)
		require.NoError(t, err)
		require.NoError(t, w.Write(line))
		cut := bytes.Clone(out.Bytes())
		require.NoError(t, w.End(how))
		f, err := benchfile.Read(&out, "f")
		require.NoError(t, err)
		require.Equal(t, want, f.Incomplete)
		f, err = benchfile.Read(bytes.NewReader(cut), "f")
		require.NoError(t, err)
		require.Contains(t, f.Incomplete, "cut off")
	}
	f, err := benchfile.Read(strings.NewReader(good), "f")
	require.NoError(t, err)
	require.Empty(t, f.Incomplete)
}

// Results share a configuration as long as it is the same, and only so long.
func TestConfigurationOfEachResult(t *testing.T) {
	f, err := benchfile.Read(strings.NewReader("cpu: x\n\nBenchmarkA 1 5 ns/op\nBenchmarkB 1 6 ns/op\ncpu: y\nBenchmarkC 1 7 ns/op\n"), "f")
	require.NoError(t, err)
	var got []string
	for _, r := range f.Results {
		got = append(got, string(r.Name)+r.GetConfig("cpu")+r.GetConfig(".file"))
	}
	require.Equal(t, []string{"Axf", "Bxf", "Cyf"}, got)
}

// full is a disk that takes so many bytes more.
type full struct {
	closer
	room int
}

func (f *full) Write(p []byte) (int, error) {
	if n := min(len(p), f.room); n < len(p) {
		f.Buffer.Write(p[:n])
		return n, syscall.ENOSPC
	}
	f.room -= len(p)
	return f.Buffer.Write(p)
}

func (f *full) Truncate(size int64) error { f.Buffer.Truncate(int(size)); return nil }

func TestAFullDiskTakesWholeLinesOnly(t *testing.T) {
	disk := &full{room: 1 << 20}
	w, err := benchfile.NewWriter(disk, config)
	require.NoError(t, err)
	require.NoError(t, w.Write(line))
	whole := disk.String()
	for _, room := range []int{0, 1, 20} {
		disk.room = room
		require.ErrorIs(t, w.Write(line), syscall.ENOSPC)
		require.Equal(t, whole, disk.String(), "room for %d bytes", room)
	}
}

func TestCreateDoesNotWaitForAReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := mkfifo(path); err != nil {
		t.Skip(err)
	}
	_, err := benchfile.Create(path, config)
	require.EqualError(t, err, path+" is a pipe that no program reads")
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
