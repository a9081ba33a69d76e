package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestConstructs compares every construct of the language with the compiled code. Package
// interp tests that each construct makes the accesses that are written beside it.
func TestConstructs(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	const dir = "internal/interp/testdata/constructs"
	files, err := filepath.Glob(dir + "/*.go")
	require.NoError(t, err)
	constructor := regexp.MustCompile(`(?m)^func (New\w+)\(int\)`)
	end := regexp.MustCompile(`// (refused|fails): `)
	var constructors, ends []string
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == "doc.go" })
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if found := constructor.FindSubmatch(text); found != nil {
			constructors = append(constructors, string(found[1]))
			ends = append(ends, "")
			if how := end.FindSubmatch(text); how != nil {
				ends[len(ends)-1] = string(how[1])
			}
		}
	}
	src, err := check.Open(t.Context(), "", "./"+dir)
	require.NoError(t, err)
	reports, err := src.Locks(t.Context(), constructors, check.Options{N: []int{1}, Passages: 1, Replays: 20})
	require.NoError(t, err)
	require.Len(t, reports, len(constructors))
	for i, r := range reports {
		if ends[i] == "refused" {
			require.NotEmpty(t, r.Refused, constructors[i])
			continue
		}
		require.Empty(t, r.Refused, constructors[i])
		require.NotNil(t, r.Replay, constructors[i])
		require.Empty(t, r.Replay.Omitted, constructors[i])
		require.Equal(t, ends[i] == "fails", r.PanicFreedom == check.Violated, constructors[i])
	}
}
