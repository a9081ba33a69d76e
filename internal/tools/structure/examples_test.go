package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// imported are the packages that programs of users import, beside the families of locks.
var imported = []string{"bench", "catalog", "catalog/knownbroken", "catalog/mutants", "check", "check/lockstep", "locktest", "predict",
	"report", "report/rank", "shm", "shm/register", "shm/spin", "stress", "distributed", "distributed/explore", "distributed/live", "distributed/sim"}

// exampleOf finds an example with output in the text of a test file.
var exampleOf = regexp.MustCompile(`(?s)\nfunc Example\w*\(\) \{.*?\n\t// (?:Unordered output|Output):`)

// TestExamples: each package that users import has an example, and the go command compares
// its output.
func TestExamples(t *testing.T) {
	require.False(t, exampleOf.MatchString("\nfunc Example() {\n\tf()\n}\n"), "without output it is only compiled")
	for _, pkg := range imported {
		files, err := filepath.Glob(filepath.Join("../../..", pkg, "*_test.go"))
		require.NoError(t, err)
		var text strings.Builder
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			text.Write(data)
		}
		require.Regexp(t, exampleOf, text.String(), "package %s has no example with output", pkg)
	}
}
