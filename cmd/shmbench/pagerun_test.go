package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/deadline"
	"shmbench/internal/sample"
)

// A howToRun says of a command line how the tests run it, where that is not as it
// stands: a block of testdata/pages.txt or testdata/commands-69131bc.txt.
type howToRun struct {
	command string
	output  string // instead: the page and the first line of a block that no command prints, as never says
	from    string // the file that had it
	add     string // flags that make it short
	as      string // what is run instead
	status  string // that it ends with; empty: 0
	like    string // a regular expression for what it prints
	quick   string // why it is run without -all, too
	never   string // why it is not run at all
	changed string // what is different since, and why
	used    bool
}

func (h *howToRun) fields() map[string]*string {
	return map[string]*string{"command": &h.command, "output": &h.output, "from": &h.from, "add": &h.add, "as": &h.as, "status": &h.status, "like": &h.like,
		"quick": &h.quick, "never": &h.never, "changed": &h.changed}
}

// howsToRun reads such a file: blocks of lines "name: value", with empty lines between
// them. Lines that begin with # are remarks.
func howsToRun(t *testing.T, file string) (all []*howToRun) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for block := range strings.SplitSeq(string(text), "\n\n") {
		h := new(howToRun)
		for line := range strings.Lines(block) {
			line = strings.TrimRight(line, "\n")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			name, value, _ := strings.Cut(line, ": ")
			field := h.fields()[name]
			require.NotNil(t, field, "%s: %q is no field: %s", file, name, line)
			require.Empty(t, *field, "%s: twice in one block: %s", file, line)
			*field = value
		}
		if *h == (howToRun{}) {
			continue
		}
		require.False(t, h.command == "" && (h.output == "" || h.never == ""), "%s: no command: %s", file, block)
		all = append(all, h)
	}
	return all
}

// line is the command line that is run.
func (h *howToRun) line() string {
	line := h.command
	if h.as != "" {
		line = h.as
	}
	if h.add != "" {
		line += " " + h.add
	}
	// The program under test is built already, and the folder is no checkout.
	line = strings.NewReplacer("go run ./cmd/shmbench", "shmbench", `"$shmbench" `, "shmbench ").Replace(line)
	return ofCheckout.ReplaceAllString(line, " shmbench/$1")
}

// ofCheckout is a package of the checkout.
var ofCheckout = regexp.MustCompile(` \./((?:bench|distributed|examples|internal|shm|check)\b[a-z/]*)`)

func (h *howToRun) exit() int {
	status, _ := strconv.Atoi(h.status)
	return status
}

// A runFolder is a module of a user's own, with a lock in mylock, results, and the files
// that commands of the pages read.
func runFolder(t *testing.T, root string) string {
	dir := t.TempDir()
	copyTo := func(name, from string) {
		text, err := os.ReadFile(filepath.Join(root, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		own := strings.ReplaceAll(string(text), `"example.com/ownlock"`, `ownlock "example.com/mine/mylock"`)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(own), 0o666))
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	module := strings.Replace(string(mod), "module shmbench\n", "module example.com/mine\n", 1)
	require.NotEqual(t, string(mod), module)
	module += fmt.Sprintf("\nrequire shmbench v0.0.0\n\nreplace shmbench => %s\n", root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o666))
	copyTo("go.sum", "go.sum")
	copyTo("mylock/mylock.go", "examples/ownlock/ownlock.go")
	copyTo("mylock/mylock_test.go", "examples/ownlock/ownlock_test.go")
	for _, folder := range []string{"results", "predict", "distributed", "check"} {
		require.NoError(t, os.Symlink(filepath.Join(root, folder), filepath.Join(dir, folder)))
	}
	for _, name := range []string{"a.txt", "b.txt", "old.txt", "new.txt", "yesterday.txt", "today.txt", "run.txt", "sweep.txt", "busy.txt", "measured.txt", "predicted.txt"} {
		copyTo(name, "results/amd-epyc-2/run.txt")
	}
	copyTo("points.tsv", "predict/testdata/lockhammer.tsv")
	copyTo("here.json", "predict/machines/epyc-2.json")
	copyTo("trace.txt", "distributed/scenario/shipped/central.txt")
	for _, name := range []string{"cards.json", "verdicts.json", "stress.json", "mutants.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(`{"format": "shmbench list 1", "complete": true, "results": []}`), 0o666))
	}
	return dir
}

// withoutOutputs removes the result files that the words of a command name as outputs:
// no command writes over one.
func withoutOutputs(dir string, words []string) {
	for i, word := range words[:max(0, len(words)-1)] {
		if word == "-o" && strings.HasSuffix(words[i+1], ".txt") {
			os.Remove(filepath.Join(dir, words[i+1]))
		}
	}
}

// requireUnderstood requires that the program takes the flags of a command line. The
// program is interrupted before it begins.
func requireUnderstood(t *testing.T, line string) {
	t.Helper()
	for part := range strings.SplitSeq(line, "; ") {
		words, simple := shellWords(strings.TrimSpace(part))
		if !simple || len(words) == 0 || words[0] != "shmbench" {
			continue
		}
		withoutOutputs(".", words)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, diag, status := shmbench(ctx, words[1:]...)
		assert.NotEqual(t, exitUsage, status, "%s: %s", line, diag)
	}
}

// ran runs a command line, which must end and print as its block says, and returns what it
// printed.
func (h *howToRun) ran(t *testing.T, dir string) string {
	out, status := h.run(t, dir)
	assert.Equal(t, h.exit(), status, "%s: %s", h.line(), out)
	assert.Regexp(t, h.like, out, h.line())
	return out
}

// run runs a command line and returns what it printed, on both outputs, and its status.
func (h *howToRun) run(t *testing.T, dir string) (printed string, status int) {
	words, simple := shellWords(h.line())
	if simple && words[0] == "shmbench" {
		withoutOutputs(dir, words)
	}
	var out bytes.Buffer
	if simple && words[0] == "shmbench" && h.quick != "" {
		t.Chdir(dir)
		stdout, diag, code := shmbench(t.Context(), words[1:]...)
		out.WriteString(stdout + diag)
		status = code
	} else {
		ctx, cancel := context.WithTimeout(t.Context(), deadline.Half(t))
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash", "-c", "set -o pipefail; "+h.line())
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
		cmd.Env = append(os.Environ(), "shmbench=shmbench", "scratch=.")
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		status = cmd.ProcessState.ExitCode()
	}
	return out.String(), status
}

// shows reports whether an output of a page is part of what a command printed: line by
// line or, if that is a measurement, with other figures, other widths and more lines.
func (o shownOutput) shows(printed string, measured bool) bool {
	form := func(line string) string { return strings.TrimRight(line, " \n") }
	if measured {
		form = withoutFigures
	}
	var got []string
	for line := range strings.Lines(printed) {
		got = append(got, form(line))
	}
	var want []string
	for _, line := range o.lines {
		want = append(want, form(line))
	}
	return follows(want, got, true, measured)
}

// follows reports whether got has the lines of want in their order, with others before
// them if gap. Others may be in between where want has three dots, or anywhere.
func follows(want, got []string, gap, anywhere bool) bool {
	switch {
	case len(want) == 0:
		return true
	case want[0] == "..." || want[0] == "…":
		return follows(want[1:], got, true, anywhere)
	}
	for i, line := range got {
		if line == want[0] && follows(want[1:], got[i+1:], false, anywhere) {
			return true
		}
		if !gap && !anywhere {
			break
		}
	}
	return false
}

var (
	anyFigure = regexp.MustCompile(`[-+]?\d[\d.,]*(?:e[-+]?\d+)?(?:n|ns|µs|ms|s|m|K|M)?\b%?`)
	anyWidth  = regexp.MustCompile(`[ ─│~¹²³]+`)
)

// withoutFigures is a line of a measurement without its figures and its widths.
func withoutFigures(line string) string {
	return strings.TrimSpace(anyWidth.ReplaceAllString(anyFigure.ReplaceAllString(line, "0"), " "))
}

// measures are the verbs, and other programs, that print another figure each time.
var measures = regexp.MustCompile(`^(?:shmbench (?:run|stress|all|dist study)|go |cd |\./)`)

// TestPages: the README and the pages of docs show commands that work, and what they
// print. Without -all the program reads the flags of each command, and runs one in eight
// of those that testdata/pages.txt calls quick.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	hows := howsToRun(t, "testdata/pages.txt")
	of := map[string]*howToRun{}
	for _, h := range hows {
		of[h.command+h.output] = h
	}
	for _, page := range pagesOf(t, root) {
		commands, outputs := shownOn(page, readPage(t, root, page))
		if len(commands) == 0 {
			continue
		}
		t.Run(strings.ReplaceAll(page, "/", "-"), func(t *testing.T) {
			asked, dir := runFolder(t, root), runFolder(t, root)
			printed := map[string]string{} // by the command line
			for _, c := range commands {
				h := of[c.text]
				if h == nil {
					h = &howToRun{command: c.text}
				}
				h.used = true
				t.Run(fmt.Sprint("line ", c.line), func(t *testing.T) {
					if h.never != "" {
						t.Skip(h.never)
					}
					if c.folder == "" {
						t.Chdir(asked)
						requireUnderstood(t, h.line())
					}
					if h.quick != "" && sample.Has("TestPages "+c.text, 8) || sample.All() {
						printed[h.line()] = h.ran(t, filepath.Join(dir, filepath.FromSlash(c.folder)))
					}
				})
			}
			for _, o := range outputs {
				o.test(t, printed, of[o.page+": "+strings.TrimSpace(o.lines[0])])
			}
		})
	}
	if sample.All() {
		for _, h := range hows {
			assert.True(t, h.used, "no page shows this: remove it from testdata/pages.txt: %s", h.command+h.output)
		}
	}
}

// test requires that one of the commands that were run has printed the output, unless
// exempt says why none does.
func (o shownOutput) test(t *testing.T, printed map[string]string, exempt *howToRun) {
	if exempt != nil {
		exempt.used = true
		return
	}
	for line, out := range printed {
		if o.shows(out, measures.MatchString(line)) {
			return
		}
	}
	if sample.All() {
		t.Errorf("%s:%d: no command of the page prints this; if it is no output, testdata/pages.txt can say so:\n%s", o.page, o.line, strings.Join(o.lines, "\n"))
	}
}
