package check_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestKinds: whatever is appended, copied, passed or put into an interface, the
// interpreter and the compiled code do the same with it.
func TestKinds(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	src := check.Testdata(t, "kinds")
	var constructors []string
	for _, file := range []string{"kinds.go", "texts.go"} {
		text, err := os.ReadFile("testdata/kinds/" + file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (New\w+)`).FindAllStringSubmatch(string(text), -1) {
			constructors = append(constructors, m[1])
		}
	}
	require.Greater(t, len(constructors), 35)
	// One process makes every step that there is.
	for _, constructor := range constructors {
		reports, err := src.Once(t.Context(), constructor, check.Options{N: []int{1}, Replays: 200})
		require.NoError(t, err)
		r := reports[0]
		require.NoError(t, r.Err(), r.Algorithm)
		require.Positive(t, r.Replay.Transitions, r.Algorithm)
	}
	for constructor, want := range map[string]check.Verdict{"NewPromoted": check.Holds, "NewPromotedCopy": check.Violated} {
		reports, err := src.Once(t.Context(), constructor, check.Options{N: []int{2}, Replays: 1_000})
		require.NoError(t, err)
		require.Equal(t, check.Holds, reports[0].MutualExclusion, constructor)
		require.Equal(t, want, reports[0].DataRaceFreedom, constructor)
		require.Empty(t, reports[0].Replay.Omitted, constructor)
	}
}
