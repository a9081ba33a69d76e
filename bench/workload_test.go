package bench_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
)

func TestWorkloadValidate(t *testing.T) {
	require.NoError(t, bench.Workload{Procs: 1024, CS: time.Second, NCS: time.Second}.Validate())
	for _, w := range []bench.Workload{
		{Procs: 1, Rate: 1, CS: 1},
		{Procs: 1, Rate: bench.MaxRate, Lines: bench.MaxLines},
		{Procs: 1, Readers: 1, NCS: 1},
		{Procs: 1, Execute: true, Touch: true},
		{Procs: 1, Kills: bench.MaxKills},
	} {
		require.NoError(t, w.Validate(), "%v", w)
	}
	for want, w := range map[string]bench.Workload{
		"0 processes":                             {},
		"1025 processes":                          {Procs: 1025},
		"critical section of -1ns":                {Procs: 1, CS: -1},
		"non-critical section of 2s":              {Procs: 1, NCS: 2 * time.Second},
		"rate of NaN":                             {Procs: 1, Rate: math.NaN()},
		"rate of -1":                              {Procs: 1, Rate: -1},
		"rate of +Inf":                            {Procs: 1, Rate: math.Inf(1)},
		"share of 1.5 readers":                    {Procs: 1, Readers: 1.5},
		"share of NaN readers":                    {Procs: 1, Readers: math.NaN()},
		"a rate cannot be combined with readers":  {Procs: 1, Rate: 1, Readers: 0.5},
		"delegate cannot be combined with a rate": {Procs: 1, Rate: 1, Execute: true},
		"a rate cannot be combined with work":     {Procs: 1, Rate: 1, NCS: 1},
		"without a check cannot be combined with": {Procs: 1, Readers: 0.5, Touch: true},

		"critical section of 1.000000001s":      {Procs: 1, CS: time.Second + 1},
		"non-critical section of -1ns":          {Procs: 1, NCS: -1},
		"that writes -1 cache lines":            {Procs: 1, Lines: -1},
		"that writes 65537 cache lines":         {Procs: 1, Lines: bench.MaxLines + 1},
		"rate of 1.00000001e+08 arrivals":       {Procs: 1, Rate: bench.MaxRate + 1},
		"share of -0.1 readers":                 {Procs: 1, Readers: -0.1},
		"rate of -1 kills per second":           {Procs: 1, Kills: -1},
		"rate of 1001 kills per second":         {Procs: 1, Kills: bench.MaxKills + 1},
		"a delegate cannot be combined with a ": {Procs: 1, Readers: 0.5, Execute: true},
	} {
		require.ErrorContains(t, w.Validate(), want)
	}
	for _, w := range []bench.Workload{{Procs: 1, Kills: 1, Rate: 1}, {Procs: 1, Kills: 1, Readers: 0.5}, {Procs: 1, Kills: 1, Execute: true}} {
		require.ErrorContains(t, w.Validate(), "kills cannot be combined with", "%v", w)
	}
	for _, w := range []bench.Workload{{Procs: 1, Touch: true, Rate: 1}, {Procs: 1, Touch: true, Kills: 1}} {
		require.ErrorContains(t, w.Validate(), "without a check cannot be combined with", "%v", w)
	}
}

// TestProcs: the numbers of processes are sorted, each is there once, and none is too many for
// a lock.
func TestProcs(t *testing.T) {
	for processors, want := range map[int][]int{
		1: {1, 2, 4}, 2: {1, 2, 4, 8}, 3: {1, 2, 3, 6, 12}, 8: {1, 2, 8, 16, 32},
		256: {1, 2, 256, 512, 1024}, 257: {1, 2, 257, 514}, 2000: {1, 2},
	} {
		require.Equal(t, want, bench.Procs(processors), "%d processors", processors)
	}
}
