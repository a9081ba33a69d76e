package check_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestVerdicts holds small locks in many forms of Go against verdicts that were
// derived by hand: what each lacks stands behind its constructor.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/verdicts/plain.go")
	require.NoError(t, err)
	var constructors, wants []string
	for _, m := range regexp.MustCompile(`(?m)^func (New\w+)\(.*// want: (.*)$`).FindAllSubmatch(text, -1) {
		constructors, wants = append(constructors, string(m[1])), append(wants, string(m[2]))
	}
	require.Greater(t, len(constructors), 30)
	src, err := check.Open(t.Context(), "", "shmbench/check/testdata/verdicts")
	require.NoError(t, err)
	reports, err := src.Locks(t.Context(), constructors, check.Options{N: []int{2}, Replays: 500})
	require.NoError(t, err)
	require.Len(t, reports, len(constructors))
	for i, r := range reports {
		require.Regexp(t, "^("+wants[i]+")$", lacks(r), constructors[i])
	}
}

// lacks lists what a lock lacks, or why it is refused.
func lacks(r *check.Report) string {
	if r.Refused != "" {
		return "refused: " + r.Refused
	}
	var all []string
	for _, p := range []struct {
		name string
		v    check.Verdict
	}{{"me", r.MutualExclusion}, {"dl", r.DeadlockFreedom}, {"sf", r.StarvationFreedom},
		{"exit", r.ExitProgress}, {"race", r.DataRaceFreedom}, {"panic", r.PanicFreedom}} {
		if p.v == check.Violated {
			all = append(all, "!"+p.name)
		}
	}
	text := strings.Join(all, " ")
	switch {
	case r.MutualExclusion.Bounded():
		return "bounded:" + text
	case text == "":
		return "ok"
	}
	return text
}
