package failover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/verify"
)

// One of three nodes crashes, and no thread of the other nodes waits forever: a waiting
// node asks the next coordinator again.
func TestCentralSurvivesACrash(t *testing.T) {
	for _, a := range []distributed.Algorithm{CentralBully, CentralRing, CentralChangRoberts} {
		verdicts, err := verify.Algorithm(t.Context(), &a, 3000, "crash")
		require.NoError(t, err)
		require.Len(t, verdicts, 1)
		require.True(t, verdicts[0].Claimed, a.Name)
		require.Equal(t, "holds", verdicts[0].String(), a.Name)
	}
}
