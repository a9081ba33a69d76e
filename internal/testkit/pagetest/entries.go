package pagetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// commandKey and outputKey are the names by which an entry finds a command and an output.
func commandKey(text string) string { return "command: " + text }
func outputKey(o ShownOutput) string {
	return "output: " + o.page + ": " + strings.TrimSpace(o.lines[0])
}

// key names the command or the output of the entry.
func (h *HowToRun) key() string {
	if h.Command != "" {
		return commandKey(h.Command)
	}
	return "output: " + h.output
}

// unmatched returns one line for each command of the pages without an entry in a file such
// as testdata/pages.txt, for each entry whose command or output is on no page, and for
// each second entry of a command. An output needs no entry.
func unmatched(commands []ShownCommand, outputs []ShownOutput, entries []*HowToRun) (problems []string) {
	has := map[string]bool{}
	for _, h := range entries {
		if has[h.key()] {
			problems = append(problems, fmt.Sprintf("two entries for one command or output: remove one: %s", h.key()))
		}
		has[h.key()] = true
	}
	on := map[string]bool{}
	for _, c := range commands {
		key := commandKey(c.Text)
		if !has[key] && !on[key] {
			problems = append(problems, fmt.Sprintf("%s:%d: this command has no entry: add a block, and after it the fields that it needs:\n%s", c.Page, c.Line, key))
		}
		on[key] = true
	}
	for _, o := range outputs {
		on[outputKey(o)] = true
	}
	for _, h := range entries {
		if !on[h.key()] {
			problems = append(problems, "no page shows this: remove the entry, or change it with the page: "+h.key())
		}
	}
	return problems
}

// RequireEntries requires that each command of the pages of the checkout at root has one
// entry in the file hows. It requires that each entry has its command or output on a page. It
// runs no command.
func RequireEntries(t *testing.T, root string, pages []string, hows string) {
	t.Helper()
	var commands []ShownCommand
	var outputs []ShownOutput
	for _, page := range pages {
		c, o := ShownOn(page, ReadPage(t, root, page))
		commands, outputs = append(commands, c...), append(outputs, o...)
	}
	require.NotEmpty(t, commands)
	for _, problem := range unmatched(commands, outputs, HowsToRun(t, hows)) {
		t.Errorf("%s: %s", hows, problem)
	}
}
