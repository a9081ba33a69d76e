package pagetest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

// Pages tests that pages of the checkout at root show commands that work, and what they
// print. The file hows says how some of them are run. With -all it runs every command. Without, it
// reads the flags of each command, and runs those that hows calls quick.
// RequireEntries tells all that hows lacks.
func (p Program) Pages(t *testing.T, root string, pages []string, hows string) {
	of := map[string]*HowToRun{}
	for _, h := range HowsToRun(t, hows) {
		of[h.key()] = h
	}
	for _, page := range pages {
		t.Run(strings.ReplaceAll(page, "/", "-"), func(t *testing.T) { p.page(t, root, page, of) })
	}
}

// page tests one page.
func (p Program) page(t *testing.T, root, page string, of map[string]*HowToRun) {
	commands, outputs := ShownOn(page, ReadPage(t, root, page))
	if len(commands) == 0 {
		return
	}
	asked, dir := Folder(t, root), Folder(t, root)
	printed := map[string]string{} // by the command line
	ran := map[int]bool{}          // by the line of the page
	for _, c := range commands {
		h := of[commandKey(c.Text)]
		require.NotNil(t, h, "%s:%d: no entry: %s", page, c.Line, c.Text)
		t.Run(fmt.Sprint("line ", c.Line), func(t *testing.T) {
			if h.Never != "" {
				t.Skip(h.Never)
			}
			if c.Folder == "" {
				t.Chdir(asked)
				p.RequireUnderstood(t, h.Line())
			}
			if h.Quick != "" || sample.All() {
				// A module of the checkout requires others by their place, which a link hides.
				folder, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(c.Folder)))
				require.NoError(t, err)
				ran[c.Line] = true
				printed[h.Line()] = p.Ran(t, h, folder)
			}
		})
	}
	for _, o := range outputs {
		o.test(t, printed, of[outputKey(o)], sample.All() || ran[lastBefore(commands, o.line)])
	}
}

// lastBefore returns the line of the last command above a line of the page, or 0.
func lastBefore(commands []ShownCommand, line int) int {
	last := 0
	for _, c := range commands {
		if c.Line < line {
			last = max(last, c.Line)
		}
	}
	return last
}
