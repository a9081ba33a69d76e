package compare_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/internal/benchfile"
	"shmbench/internal/compare"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// file is a file of results, samples of each benchmark, base plus 0, 1, 2...
func file(t *testing.T, name, config string, samples int, base map[string]int) *benchfile.File {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "Unit ns/op better=lower\nUnit jain better=higher\n%s\n", config)
	for _, benchmark := range []string{"Machine/op=transfer", "Passage/alg=a-a/procs=2", "Passage/alg=a-b/procs=2", "Passage/alg=a-c/procs=2"} {
		for i := range samples {
			if ns, ok := base[benchmark]; ok {
				fmt.Fprintf(&text, "Benchmark%s 1 %d ns/op 0.%d jain\n", benchmark, ns+i, ns+i)
			}
		}
	}
	f, err := benchfile.Read(strings.NewReader(text.String()), name)
	require.NoError(t, err)
	return f
}

func two(t *testing.T, samples int) []*benchfile.File {
	return []*benchfile.File{
		file(t, "old", "cpu: x\nwait: busy\ncommit: 1\n", samples, map[string]int{
			"Machine/op=transfer": 30, "Passage/alg=a-a/procs=2": 100, "Passage/alg=a-b/procs=2": 200, "Passage/alg=a-c/procs=2": 300}),
		file(t, "new", "cpu: x\nwait: yield\n", samples, map[string]int{
			"Machine/op=transfer": 90, "Passage/alg=a-a/procs=2": 101, "Passage/alg=a-b/procs=2": 300}),
	}
}

func TestCompare(t *testing.T) {
	r, err := compare.Files(two(t, 8), []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, []compare.Difference{
		{Key: "wait", Values: []string{"busy", "yield"}},
		{Key: "commit", Values: []string{"1", ""}},
	}, r.Differences)

	rows := r.Tables[0].Rows
	require.Len(t, rows, 2, "what is in both files, and no machine")
	a, b := rows[0].Cells[1], rows[1].Cells[1]
	require.Equal(t, "Passage/alg=a-b/procs=2", rows[1].Name)
	require.InDelta(t, 303.5/203.5-1, float64(b.Change), 1e-9)
	require.Less(t, b.P, 0.01)
	require.Greater(t, a.P, 0.05)
	require.Len(t, r.Machine.Rows, 1)

	require.Equal(t, []string{"Passage/alg=a-b/procs=2"}, r.Regressions(0.05))
	require.Empty(t, r.Regressions(0.60), "it is not so much worse")
}

func TestBetterIsNoRegression(t *testing.T) {
	files := two(t, 8)
	files[0], files[1] = files[1], files[0]
	r, err := compare.Files(files, []string{"ns/op"})
	require.NoError(t, err)
	require.Empty(t, r.Regressions(0.05))
	// Of fairness, more is better.
	r, err = compare.Files(files, []string{"jain"})
	require.NoError(t, err)
	require.Equal(t, []string{"Passage/alg=a-b/procs=2"}, r.Regressions(0.05))
}

func TestNamesOfGoTestAreTheSame(t *testing.T) {
	files := two(t, 2)
	for _, r := range files[1].Results {
		r.Name = append(r.Name, "-8"...)
	}
	r, err := compare.Files(files, []string{"ns/op"})
	require.NoError(t, err)
	require.Len(t, r.Tables[0].Rows, 2)
}

func TestThreeSamplesAreTooFew(t *testing.T) {
	r, err := compare.Files(two(t, 3), []string{"ns/op"})
	require.NoError(t, err)
	require.Empty(t, r.Regressions(0.05))
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Contains(t, out.String(), " [?, ?] ", "no interval")
	text, err := json.Marshal(r)
	require.NoError(t, err)
	require.Contains(t, string(text), `"low":null,"high":null`)
	require.Contains(t, out.String(), "Too few samples: among 2 comparisons a difference shows from 5 samples on.")
}

func TestCompareRefuses(t *testing.T) {
	files := two(t, 2)
	_, err := compare.Files(files[:1], []string{"ns/op"})
	require.ErrorContains(t, err, "two files or more")
	_, err = compare.Files(files, []string{"furlongs"})
	require.ErrorContains(t, err, "no benchmark with a value in furlongs in common")
}

func TestGolden(t *testing.T) {
	r, err := compare.Files(two(t, 8), []string{"ns/op", "jain"})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	golden := filepath.Join("testdata", "two.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestSamplesOfFewPassagesAreLeftOut(t *testing.T) {
	files := two(t, 8)
	few := files[1].Results[len(files[1].Results)-1]
	few.Values = append(few.Values, benchfmt.Value{Value: 3, Unit: "least-passages"})
	r, err := compare.Files(files, []string{"ns/op"})
	require.NoError(t, err)
	require.Equal(t, 1, r.Tables[0].LeftOut)
	require.Equal(t, 7, r.Tables[0].Rows[1].Cells[1].Samples)
	var out bytes.Buffer
	require.NoError(t, r.WriteText(&out))
	require.Contains(t, out.String(), "\n1 samples are left out: too few passages")
}
