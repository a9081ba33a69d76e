package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestVerdicts holds small locks in many forms of Go against verdicts that were
// derived by hand: what each lacks stands behind its constructor, and what it lacks
// with all of its calls behind "all:".
func TestVerdicts(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	files, err := filepath.Glob("testdata/verdicts/*.go")
	require.NoError(t, err)
	var constructors, wants []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (New\w+)\(.*// want: (.*)$`).FindAllSubmatch(text, -1) {
			constructors, wants = append(constructors, string(m[1])), append(wants, string(m[2]))
		}
	}
	require.Greater(t, len(constructors), 60)
	src := check.Testdata(t, "verdicts")
	reports, err := src.Locks(t.Context(), constructors, check.Options{N: []int{2}, Replays: 500})
	require.NoError(t, err)
	for i, constructor := range constructors {
		want, all, mixed := strings.Cut(wants[i], "; all: ")
		require.Regexp(t, "^("+want+")$", lacks(reports[0]), constructor)
		reports = reports[1:]
		if mixed {
			require.NotNil(t, reports[0].Modes, constructor)
			require.Regexp(t, "^("+all+")$", lacks(reports[0]), constructor)
			reports = reports[1:]
		}
	}
	require.Empty(t, reports)
}

// lacks lists what a lock lacks, or why it is refused.
func lacks(r *check.Report) string {
	if r.Refused != "" {
		return "refused: " + r.Refused
	}
	type verdict struct {
		name string
		v    check.Verdict
	}
	asked := []verdict{{"me", r.MutualExclusion}, {"dl", r.DeadlockFreedom}, {"sf", r.StarvationFreedom}}
	if m := r.Modes; m != nil {
		asked = append(asked, verdict{"rsf", m.ReaderStarvationFreedom}, verdict{"together", m.ReadersTogether},
			verdict{"concurrent", m.ConcurrentReaders}, verdict{"no-effect", m.NoEffect}, verdict{"wait-free-try", m.WaitFreeTry},
			verdict{"strong", m.StrongTry}, verdict{"wait-free-abort", m.WaitFreeAbort})
	}
	asked = append(asked, verdict{"exit", r.ExitProgress}, verdict{"race", r.DataRaceFreedom}, verdict{"panic", r.PanicFreedom})
	var all []string
	for _, p := range asked {
		switch p.v {
		case check.Violated:
			all = append(all, "!"+p.name)
		case check.Unknown:
			all = append(all, "?"+p.name)
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
