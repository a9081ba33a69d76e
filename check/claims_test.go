package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/mutants"
)

// TestClaimsOfMutants: the claims that an entry of a mutant can name are those of which
// a report can say that they are lost.
func TestClaimsOfMutants(t *testing.T) {
	can := []string{FirstComeFirstServed, BoundedBypass, PlacedBypass, WaitFreeDoorway, BoundedRegisters,
		DataRaceFreedom, PanicFreedom, ReaderBoundedBypass, ReaderWaitFreeDoorway}
	for _, l := range localSpins {
		can = append(can, l.name)
	}
	for _, p := range modals {
		can = append(can, p.name)
	}
	require.ElementsMatch(t, can, mutants.Claims)
}
