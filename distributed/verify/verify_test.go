package verify_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/alien"
	"shmbench/distributed/catalog"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
	"shmbench/distributed/verify"
)

func TestNoClaimIsRefuted(t *testing.T) {
	for _, a := range catalog.All {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			verdicts, err := verify.Algorithm(context.Background(), a, 20_000)
			require.NoError(t, err)
			require.Len(t, verdicts, len(verify.Trials))
			for _, v := range verdicts {
				require.False(t, v.Refuted(), "%+v", v)
			}
		})
	}
}

func TestNoElectionIsRefuted(t *testing.T) {
	for _, a := range election.All {
		verdicts, err := verify.Election(context.Background(), a, 50_000)
		require.NoError(t, err)
		for _, v := range verdicts {
			require.False(t, v.Refuted(), "%s %+v", a.Name, v)
		}
	}
	verdicts, err := verify.Election(context.Background(), election.Mutants[0], 50_000)
	require.NoError(t, err)
	restart := verdicts[4]
	require.Equal(t, "restart", restart.Trial)
	require.Equal(t, explore.OneLeader, restart.Breaks) // terms that are the counter alone
}

func TestFalseClaimIsRefuted(t *testing.T) {
	verdicts, err := verify.Algorithm(context.Background(), &alien.V1AsPrinted, 20_000)
	require.NoError(t, err)
	endless := verdicts[3]
	require.Equal(t, "endless", endless.Trial)
	require.True(t, endless.Refuted())
	require.Equal(t, explore.MutualExclusion, endless.Breaks)
}
