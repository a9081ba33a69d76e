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
	require.NoError(t, bench.Workload{Procs: 1, Rate: 1}.Validate())
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
	} {
		require.ErrorContains(t, w.Validate(), want)
	}
}
