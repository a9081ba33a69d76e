package rank

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
)

func round(others, stolen float64, mhz ...float64) *benchfmt.Result {
	l := bench.Line{Name: "Quiet", Iterations: 1, Values: []bench.Value{{Value: others, Unit: "other-load"}, {Value: stolen, Unit: "stolen"}}}
	if mhz != nil {
		l.Values = append(l.Values, bench.Value{Value: mhz[0], Unit: "slowest-MHz"}, bench.Value{Value: mhz[1], Unit: "fastest-MHz"})
	}
	return l.Result()
}

func TestQuiet(t *testing.T) {
	good := []*benchfmt.Result{round(0.01, 0), round(0.03, 0.001)}
	require.Equal(t, "The machine was quiet: 2.0% of the processors' time went to other programs; 0.1% was stolen by the host; the frequencies are unknown; the middle half of 4 transfers took 30.0 to 31.0 ns.",
		quiet(good, []float64{31, 30, 29, 300}))
	for _, bad := range []string{
		quiet([]*benchfmt.Result{round(0.2, 0)}, nil),
		quiet([]*benchfmt.Result{round(0, 0.05)}, nil),
		quiet([]*benchfmt.Result{round(0, 0, 2000, 3000)}, nil),
		quiet(good, []float64{30, 30, 300, 300}),
	} {
		require.Contains(t, bad, "NOT quiet")
	}
	require.Contains(t, quiet([]*benchfmt.Result{round(0, 0, 2990, 3000)}, nil), "was quiet: 0.0% of the processors' time went to other programs; 0.0% was stolen by the host; the processors ran at 2990 to 3000 MHz.")
	require.Empty(t, quiet(nil, nil))
}
