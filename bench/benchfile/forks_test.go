package benchfile_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
)

// What two programs measured is read as one result each.
func TestForksAreMerged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	w, err := benchfile.Create(path, config)
	require.NoError(t, err)
	for fork, samples := range [][]float64{{10, 30, 20}, {40, 60, 50}} {
		for _, ns := range samples {
			l := line
			l.Fork, l.Values = 1+fork, []bench.Value{{Value: ns, Unit: "ns/op"}}
			require.NoError(t, w.Write(l))
		}
	}
	require.NoError(t, w.End(""))
	f, err := benchfile.Open(t.Context(), path, nil)
	require.NoError(t, err)
	require.Len(t, f.Results, 6, "every sample is kept")
	require.Equal(t, "2", f.Results[5].GetConfig(bench.ForkKey))

	var seconds []float64
	for _, r := range benchfile.ByFork(f.Results) {
		v, _ := r.Value("sec/op")
		seconds = append(seconds, v)
		require.Empty(t, r.GetConfig(bench.ForkKey))
		require.Equal(t, "busy", r.GetConfig("wait"))
	}
	require.InDeltaSlice(t, []float64{20e-9, 50e-9}, seconds, 1e-15)
	require.Len(t, benchfile.ByFork(f.Results[:3]), 1)
}

func TestResultsOfOneProgramAreLeftAlone(t *testing.T) {
	r := line.Result()
	require.Equal(t, r, benchfile.ByFork([]*benchfmt.Result{r, r})[1])
	require.Len(t, benchfile.ByFork([]*benchfmt.Result{r, r}), 2)
}
