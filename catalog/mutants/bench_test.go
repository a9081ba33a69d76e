package mutants_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog/mutants"
	"shmbench/internal/testkit/sample"
)

// BenchmarkBuild compiles all mutants into one program. Without -all the build cache has
// the packages that they stand on.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if sample.All() {
			b.Setenv("GOCACHE", b.TempDir())
		}
		runner, err := mutants.Build(b.Context(), mutants.All(), nil)
		require.NoError(b, err)
		runner.Close()
	}
}
