package bench

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

// TestDoubt: what is said of a result that is not to be ranked with others.
func TestDoubt(t *testing.T) {
	for want, values := range map[string][]benchfmt.Value{
		"": {{Value: 0.95, Unit: reached}, {Value: 3, Unit: "ns/op"}},
		"only 75% of the rate was reached, so that latency grows with -d": {{Value: 0.75, Unit: reached}},
		"a process made only 7 passages":                                  {{Value: 0.5, Unit: reached}, {Value: 7, Unit: leastPassages}},
		"a process made only 1 passage":                                   {{Value: 1, Unit: leastPassages}},
	} {
		require.Equal(t, want, Doubt(&benchfmt.Result{Values: values}))
	}
	require.Empty(t, Doubt(&benchfmt.Result{}))
}
