package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/pagetest"
	"shmbench/internal/sample"
)

// oldCommit is the commit whose commands must work as they did, or stand in a list of
// those that changed.
const oldCommit = "69131bc"

// ofOldCommit are the commands of README.md and .ci/run at that commit.
const ofOldCommit = "testdata/commands-" + oldCommit + ".txt"

// TestOldCommands: a command that README.md or .ci/run had works as it did, or CHANGELOG.md
// says what to write instead. One that is of another program now is refused and names it. Unless -all or -part chooses the test, the program
// reads the flags of each command, and runs those that are called quick.
func TestOldCommands(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	today := strings.Split(pagetest.ReadPage(t, root, ".ci/run"), "\n")
	changes := strings.Split(pagetest.ReadPage(t, root, "CHANGELOG.md"), "\n")
	whole := sample.All() // some commands read what others write
	asked, dir := pagetest.Folder(t, root), pagetest.Folder(t, root)
	for _, h := range pagetest.HowsToRun(t, ofOldCommit) {
		t.Run(h.From+" "+h.Command, func(t *testing.T) {
			if h.Changed != "" {
				require.Contains(t, changes, h.Changed, "CHANGELOG.md has no such row")
			}
			if h.Changed != "" && whole {
				require.False(t, works(t, dir, h, old(h)), "it works as it did: it did not change")
			}
			if h.Never != "" {
				t.Skip(h.Never)
			}
			if h.Moved != "" {
				words, _ := pagetest.ShellWords(withoutPipe(h.Line()))
				_, diag, status := shmbench(t.Context(), words[1:]...)
				require.Equal(t, exitUsage, status)
				require.Equal(t, fmt.Sprintf("shmbench: dmesim is a program of its own: write %q\n", h.Moved), diag)
				return
			}
			t.Chdir(asked)
			asPages.RequireUnderstood(t, withoutPipe(h.Line()))
			runsThere := slices.ContainsFunc(today, func(line string) bool { return strings.TrimSpace(line) == h.Command })
			if h.Quick != "" || whole && !runsThere {
				asPages.Ran(t, h, dir)
			}
		})
	}
}

// TestOldCommandsAreAll: the list has every command line of the two files, where the
// history of the repository can be read.
func TestOldCommandsAreAll(t *testing.T) {
	show := func(name string) string {
		text, err := exec.CommandContext(t.Context(), "git", "show", oldCommit+":"+name).Output()
		if err != nil {
			t.Skip("no history here: ", err)
		}
		return string(text)
	}
	listed := map[string]bool{}
	for _, h := range pagetest.HowsToRun(t, ofOldCommit) {
		listed[h.From+": "+h.Command] = true
	}
	commands, _ := pagetest.ShownOn("README.md", show("README.md"))
	require.NotEmpty(t, commands)
	for _, c := range commands {
		assert.True(t, listed["README.md: "+c.Text], c.Text)
	}
	found := 0
	for line := range strings.Lines(show(".ci/run")) {
		if line = strings.TrimSpace(line); inScript.MatchString(line) {
			found++
			assert.True(t, listed[".ci/run: "+line], line)
		}
	}
	require.Greater(t, found, 40)
}

// inScript begins a line of .ci/run that is a command of Go or of this project.
var inScript = regexp.MustCompile(`^(?:\w+=\S* |\w+=\$\()*(?:go |"\$shmbench" |\.ci/list |on_arm64 )`)

// withoutPipe is a command line without the commands that read its output.
func withoutPipe(line string) string {
	line, _, _ = strings.Cut(line, " | ")
	return line
}

// old is the command as it was, with what it must print now.
func old(h *pagetest.HowToRun) *pagetest.HowToRun {
	was := *h
	was.As, was.Add, was.Quick = "", "", ""
	return &was
}

// works reports whether a command ends with the status and prints what its block says.
func works(t *testing.T, dir string, h, as *pagetest.HowToRun) bool {
	out, status := asPages.Printed(t, as, dir)
	return status == h.Exit() && regexp.MustCompile(h.Like).MatchString(out)
}

// TestOldCommandsCanFail: a command that the program does not take, and one that prints
// something else, do not work as they did.
func TestOldCommandsCanFail(t *testing.T) {
	dir := t.TempDir()
	for command, want := range map[string]bool{
		"shmbench list -has try":     true,
		"shmbench list -kind try":    false,
		"shmbench list -alg nothing": false,
	} {
		h := &pagetest.HowToRun{Command: command, Like: "(?m)^tas/tas ", Quick: "0.1 s"}
		require.Equal(t, want, works(t, dir, h, h), command)
	}
}
