package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/mutants"
	"shmbench/check/internal/spec"
	"shmbench/check/internal/verdict"
)

// TestClaimsOfMutants: an entry of a mutant can name exactly the claims that a report can
// call lost.
func TestClaimsOfMutants(t *testing.T) {
	can := []string{verdict.FirstComeFirstServed, verdict.BoundedBypass, verdict.PlacedBypass, verdict.WaitFreeDoorway, verdict.BoundedRegisters,
		verdict.DataRaceFreedom, verdict.PanicFreedom, verdict.ReaderBoundedBypass, verdict.ReaderWaitFreeDoorway}
	can = append(can, spec.CoherentReferences, spec.DistributedReferences)
	can = append(can, verdict.Reentry, verdict.StrongStarvationFreedom, verdict.StrongFirstComeFirstServed, verdict.BoundedReentry, verdict.BoundedRecovery, verdict.BoundedExit)
	for _, p := range modals {
		can = append(can, p.name)
	}
	require.ElementsMatch(t, can, mutants.Claims)
}
