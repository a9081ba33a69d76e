package lockhammer

import (
	"context"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/predict"
)

var measured = flag.Bool("measured", false, "hold the model against the measured curves of two hosts, which takes half a minute")

// TestMeasured: the errors against what was measured, at every fifth number of
// threads, stay below what docs/predicting.md says of all of them. Nothing in it depends on the time.
func TestMeasured(t *testing.T) {
	if !*measured {
		t.Skip("-measured does it")
	}
	file, err := os.Open("../testdata/lockhammer.tsv")
	require.NoError(t, err)
	defer file.Close()
	points, err := ReadPoints(file)
	require.NoError(t, err)
	for _, host := range []struct {
		name, topology, family string
		curve, all             float64
	}{
		{"x86-2", "cores=24,threads=2", "intel", 0.25, 0.08},
		{"x86-3", "sockets=2,cores=22,threads=2", "intel-before-skylake", 0.35, 0.17},
	} {
		m, err := predict.New(host.name, host.topology, predict.SMTFirst, host.family)
		require.NoError(t, err)
		mine := slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
			return p.Host != host.name || p.Threads%5 != 0
		})
		o := Defaults
		o.Evaluations = 15
		m, _, err = Host(context.Background(), m, mine, o)
		require.NoError(t, err)
		r, err := Validate(context.Background(), m, mine, o)
		require.NoError(t, err)
		var all []float64
		for _, c := range r.Curves {
			if c.Judged {
				require.LessOrEqual(t, c.Median, host.curve, "%s %s cs=%g", host.name, c.Lock, c.CS)
			}
		}
		for _, p := range r.Points {
			if p.Threads >= judged && !fittedCurve(p.Point) && !unjudged(p.Point) {
				all = append(all, p.error())
			}
		}
		require.LessOrEqual(t, median(all), host.all, host.name)
		t.Log(host.name, r.Bars)
	}
}
