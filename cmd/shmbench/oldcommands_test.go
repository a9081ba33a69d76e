package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/sample"
)

// oldCommit is the commit whose commands must work as they did, or stand in a list of
// those that changed.
const oldCommit = "69131bc"

// ofOldCommit are the commands of README.md and .ci/run at that commit.
const ofOldCommit = "testdata/commands-" + oldCommit + ".txt"

// TestOldCommands: a command that README.md or .ci/run had works as it did, or CHANGELOG.md
// says what to write instead. Without -all the program reads the flags of each command, and
// runs those that are called quick.
func TestOldCommands(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	today := strings.Split(readPage(t, root, ".ci/run"), "\n")
	changes := strings.Split(readPage(t, root, "CHANGELOG.md"), "\n")
	asked, dir := runFolder(t, root), runFolder(t, root)
	for _, h := range howsToRun(t, ofOldCommit) {
		t.Run(h.from+" "+h.command, func(t *testing.T) {
			if h.changed != "" {
				require.Contains(t, changes, h.changed, "CHANGELOG.md has no such row")
			}
			if h.changed != "" && sample.All() {
				require.False(t, h.works(t, dir, h.old()), "it works as it did: it did not change")
			}
			if h.never != "" {
				t.Skip(h.never)
			}
			t.Chdir(asked)
			requireUnderstood(t, withoutPipe(h.line()))
			runsThere := slices.ContainsFunc(today, func(line string) bool { return strings.TrimSpace(line) == h.command })
			if h.quick != "" || sample.All() && !runsThere {
				h.ran(t, dir)
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
	for _, h := range howsToRun(t, ofOldCommit) {
		listed[h.from+": "+h.command] = true
	}
	commands, _ := shownOn("README.md", show("README.md"))
	require.NotEmpty(t, commands)
	for _, c := range commands {
		assert.True(t, listed["README.md: "+c.text], c.text)
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
func (h *howToRun) old() *howToRun {
	was := *h
	was.as, was.add, was.quick = "", "", ""
	return &was
}

// works reports whether a command ends with the status and prints what its block says.
func (h *howToRun) works(t *testing.T, dir string, as *howToRun) bool {
	out, status := as.run(t, dir)
	return status == h.exit() && regexp.MustCompile(h.like).MatchString(out)
}

// TestOldCommandsCanFail: a command that the program does not take, and one that prints
// something else, do not work as they did.
func TestOldCommandsCanFail(t *testing.T) {
	dir := t.TempDir()
	for command, works := range map[string]bool{
		"shmbench list -kind try":    true,
		"shmbench list -kindof try":  false,
		"shmbench list -alg nothing": false,
	} {
		h := &howToRun{command: command, like: "(?m)^tas/tas ", quick: "0.1 s"}
		require.Equal(t, works, h.works(t, dir, h), command)
	}
}
