package check

import (
	"shmbench/check/internal/verdict"
	"shmbench/mutants"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClaimsOfMutants: the claims that an entry of a mutant can name are those of which
// a report can say that they are lost.
func TestClaimsOfMutants(t *testing.T) {
	can := []string{verdict.FirstComeFirstServed, verdict.BoundedBypass, verdict.PlacedBypass, verdict.WaitFreeDoorway, verdict.BoundedRegisters,
		verdict.DataRaceFreedom, verdict.PanicFreedom, verdict.ReaderBoundedBypass, verdict.ReaderWaitFreeDoorway}
	for _, l := range localSpins {
		can = append(can, l.name)
	}
	for _, p := range modals {
		can = append(can, p.name)
	}
	require.ElementsMatch(t, can, mutants.Claims)
}
