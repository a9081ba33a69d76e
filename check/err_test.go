package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// The error of a lock names every difference from its specification, and has the trace
// against the first lost claim that has one.
func TestErrOfDisagreements(t *testing.T) {
	r := Report{
		Algorithm: "a/b", N: 2,
		Disagreements: []string{"the bypass is 2, the specification says 1", "mutual exclusion is violated"},
		lost:          []Loss{{Claim: "bypass", Says: "the bypass is 2, the specification says 1"}, {Claim: verdict.MutualExclusion}},
		Counterexamples: []*trace.Trace{
			{Property: verdict.DeadlockFreedom, N: 2},
			{Property: verdict.MutualExclusion, N: 2},
		},
	}
	require.ErrorContains(t, r.Err(), "a/b, n=2: the bypass is 2, the specification says 1; mutual exclusion is violated\n\n")
	require.ErrorContains(t, r.Err(), r.Counterexamples[1].String())
	require.NotContains(t, r.Err().Error(), r.Counterexamples[0].String())
	r.Counterexamples = nil
	require.EqualError(t, r.Err(), "a/b, n=2: the bypass is 2, the specification says 1; mutual exclusion is violated")
}
