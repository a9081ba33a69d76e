package pagetest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnmatchedEntries: a command without an entry, an entry without its command or
// output, and a second entry are named. Entries that match the page are accepted.
func TestUnmatchedEntries(t *testing.T) {
	commands, outputs := ShownOn("docs/a.md", "# A page\n\n    shmbench list\n    shmbench run -o a.txt\n\ntext\n\n    a picture\n    of nothing\n")
	entry := func(command string) *HowToRun { return &HowToRun{Command: command} }
	picture := &HowToRun{output: "docs/a.md: a picture", Never: "it is no output"}
	for name, c := range map[string]struct {
		entries []*HowToRun
		problem string // empty: none
	}{
		"each has one":         {[]*HowToRun{entry("shmbench list"), picture, entry("shmbench run -o a.txt")}, ""},
		"an output needs none": {[]*HowToRun{entry("shmbench list"), entry("shmbench run -o a.txt")}, ""},
		"no entry":             {[]*HowToRun{entry("shmbench run -o a.txt")}, "docs/a.md:3: this command has no entry"},
		"another command":      {[]*HowToRun{entry("shmbench list"), entry("shmbench run -o a.txt"), entry("shmbench list -long")}, "no page shows this"},
		"another output": {[]*HowToRun{entry("shmbench list"), entry("shmbench run -o a.txt"),
			{output: "docs/a.md: another picture", Never: "it is no output"}}, "no page shows this"},
		"two entries": {[]*HowToRun{entry("shmbench list"), entry("shmbench run -o a.txt"), entry("shmbench list")}, "two entries"},
	} {
		t.Run(name, func(t *testing.T) {
			problems := unmatched(commands, outputs, c.entries)
			if c.problem == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], c.problem)
		})
	}
}
