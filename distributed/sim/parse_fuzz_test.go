package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is read and printed again is read as the same distribution.
func FuzzParseDistribution(f *testing.F) {
	for _, s := range []string{"10ms", "uniform:0s,100ms", "exp:50ms", "erlang:3,50ms", "uniform:2s,1s", "erlang:0,1s", "-1s", "exp:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDistribution(s)
		if err != nil {
			return
		}
		again, err := ParseDistribution(d.String())
		require.NoError(t, err, "%q prints as %q", s, d)
		require.Equal(t, d, again)
	})
}

// Whatever text is given, it is a list of faults or one plain line.
func FuzzParseFaults(f *testing.F) {
	for _, s := range []string{"crash 3 at 5s", "cut 0,1 at 9s; heal at 12s", "lose 0>1 at 3s", "crash x at 1s", "heal", ";;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := ParseFaults(s); err != nil {
			require.NotContains(t, err.Error(), "\n")
		}
	})
}
