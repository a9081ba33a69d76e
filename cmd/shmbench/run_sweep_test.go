package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/shm"
)

// Of locks whose time of service is known every rate is offered from a hundredth of
// what they can do to the second that they cannot, and no other.
func TestSweepEndsAtSaturation(t *testing.T) {
	service := map[string]time.Duration{"a/slow": 100 * time.Microsecond, "a/quick": time.Microsecond, "a/pair": 10 * time.Microsecond, "a/broken": 0}
	var offered []string
	taken := map[string][]*benchfmt.Result{}
	f := runFlags{d: 100 * time.Millisecond}
	sweep := func(algorithms []shm.Algorithm, procs ...int) {
		offered, taken = nil, map[string][]*benchfmt.Result{}
		require.NoError(t, f.sweep(procs, algorithms, func(as []shm.Algorithm, n int, rate float64) error {
			for _, a := range as {
				s := service[a.Name].Seconds()
				if s == 0 {
					continue
				}
				offered = append(offered, fmt.Sprintf("%s %g", a.Name, rate))
				r := &benchfmt.Result{Values: []benchfmt.Value{{Value: s, Unit: "sec/op"}}}
				if rate > 0 {
					r.Values = append(r.Values, benchfmt.Value{Value: min(1, 1/(s*rate*float64(n))), Unit: "reached"})
				}
				name := bench.Workload{Procs: n, Rate: rate}.Name(a.Name)
				taken[name] = append(taken[name], r)
			}
			return nil
		}, func(a string, w bench.Workload) []*benchfmt.Result { return taken[w.Name(a)] }))
	}
	lock := func(name string, most int) shm.Algorithm {
		return shm.Algorithm{Name: name, MinProcs: 1, MaxProcs: most}
	}
	// A hundredth of 10,000 a second would have ten arrivals in a window.
	sweep([]shm.Algorithm{lock("a/slow", 8), lock("a/broken", 8)}, 1)
	require.Equal(t, []string{"a/slow 0", "a/slow 300", "a/slow 500", "a/slow 700", "a/slow 1000", "a/slow 2000", "a/slow 3000", "a/slow 5000", "a/slow 7000", "a/slow 10000", "a/slow 20000", "a/slow 30000"}, offered)
	// The slow one is done long before the quick one begins; a pair is no lock for four.
	sweep([]shm.Algorithm{lock("a/quick", 8), lock("a/slow", 8), lock("a/pair", 2)}, 4)
	require.NotContains(t, fmt.Sprint(offered), "pair")
	require.Equal(t, "a/slow 300", offered[2])
	require.Contains(t, offered, "a/slow 3000", "four processes have a quarter each")
	require.Contains(t, offered, "a/slow 5000")
	require.NotContains(t, offered, "a/slow 7000")
	require.Contains(t, offered, "a/quick 3000")
	require.Equal(t, "a/quick 500000", offered[len(offered)-1])
	// One that nothing saturates is left in the end.
	service["a/quick"] = time.Nanosecond
	f.d = time.Hour
	taken = nil
	n := 0
	require.NoError(t, f.sweep([]int{1}, []shm.Algorithm{lock("a/quick", 8)}, func([]shm.Algorithm, int, float64) error { n++; return nil },
		func(string, bench.Workload) []*benchfmt.Result {
			return []*benchfmt.Result{{Values: []benchfmt.Value{{Value: 1, Unit: "sec/op"}, {Value: 1, Unit: "reached"}}}}
		}))
	require.Equal(t, 1+sweepSteps, n)
}

func TestRateFlag(t *testing.T) {
	var r rateFlag
	require.Equal(t, "0", r.String())
	require.NoError(t, r.Set("sweep"))
	require.Equal(t, "sweep", r.String())
	require.NoError(t, r.Set("1e3"))
	require.Equal(t, rateFlag{rate: 1000}, r)
	for _, wrong := range []string{"x", "-1", "NaN", "Inf", "1e9"} {
		require.EqualError(t, r.Set(wrong), "write a number of arrivals a second between 0 and 100000000, or sweep", wrong)
	}
}
