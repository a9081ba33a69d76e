// Package pagetest runs the commands that pages show, and compares what they print with
// what the pages say. It is for tests.
package pagetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A ShownCommand is a command line in a block of code of a page.
type ShownCommand struct {
	Page   string // README.md, or docs/x.md
	Line   int
	Text   string // without a prompt and without a comment behind it
	Folder string // of a cd before it in the block; empty: none
}

// A ShownOutput is the rest of a block of code that has no language: what a command of
// the page prints, with a line of three dots in place of the rest.
type ShownOutput struct {
	page  string
	line  int
	lines []string
}

// In returns the names of the pages in a folder of a checkout, without those that are
// made of data by tests of their own.
func In(t *testing.T, root, folder string, made ...string) (names []string) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, folder, "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, p := range pages {
		if name := filepath.Base(p); !slices.Contains(made, name) {
			names = append(names, folder+"/"+name)
		}
	}
	return names
}

// A codeBlock is a block of code of a page, without its fences or its indent.
type codeBlock struct {
	line  int // of the first in lines
	lines []string
}

var (
	fence  = regexp.MustCompile("^ *```(\\w*)$")
	prompt = "$ "
	// starts begins a line that is a command.
	starts = regexp.MustCompile(`^(?:\w+=\S+ )?(?:(?:shmbench|dmesim|go|git|cd|for|export|\./dmebench) |dmebench (?:run|faults|judge|resource) )`)
	// remark is what stands behind a command.
	remark = regexp.MustCompile(` +#|  +\S`)
)

// codeBlocks returns the blocks of a page: those between fences that name no language,
// and those that are indented after an empty line.
func codeBlocks(text string) (blocks []codeBlock) {
	var in *codeBlock
	fenced, skipped, empty := false, false, true
	end := func() {
		if in != nil && len(in.lines) > 0 {
			blocks = append(blocks, *in)
		}
		in = nil
	}
	for i, line := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(line)
		inner, indented := strings.CutPrefix(line, "    ")
		switch {
		case m != nil:
			end()
			if fenced = !fenced; fenced {
				in, skipped = &codeBlock{line: i + 2}, m[1] != "" && m[1] != "sh" && m[1] != "text"
			}
		case fenced && !skipped:
			in.lines = append(in.lines, line)
		case fenced:
		case indented && (empty || in != nil):
			if in == nil {
				in = &codeBlock{line: i + 1}
			}
			in.lines = append(in.lines, inner)
		case line == "" && in != nil:
			in.lines = append(in.lines, "")
		default:
			end()
		}
		empty = line == ""
	}
	end()
	return blocks
}

// ShownOn returns the commands and the outputs of a page, in their order.
func ShownOn(page, text string) (commands []ShownCommand, outputs []ShownOutput) {
	for _, b := range codeBlocks(text) {
		prompted := false
		for _, line := range b.lines {
			prompted = prompted || strings.HasPrefix(line, prompt)
		}
		folder := ""
		var out ShownOutput
		end := func() {
			for len(out.lines) > 0 && out.lines[len(out.lines)-1] == "" {
				out.lines = out.lines[:len(out.lines)-1]
			}
			if len(out.lines) > 0 {
				outputs = append(outputs, out)
			}
			out = ShownOutput{}
		}
		for i, line := range b.lines {
			text, isCommand := strings.CutPrefix(line, prompt)
			if !prompted {
				isCommand = starts.MatchString(text)
			}
			if !isCommand {
				if len(out.lines) == 0 {
					out = ShownOutput{page: page, line: b.line + i}
				}
				if line != "" || len(out.lines) > 0 {
					out.lines = append(out.lines, strings.TrimRight(line, " "))
				}
				continue
			}
			end()
			text = withoutRemark(text)
			if to, ok := strings.CutPrefix(text, "cd "); ok {
				folder = to
				continue
			}
			commands = append(commands, ShownCommand{page, b.line + i, text, folder})
		}
		end()
	}
	return commands, outputs
}

// withoutRemark returns a command without what is said of it on the same line, which
// is not in quotes.
func withoutRemark(text string) string {
	for _, at := range remark.FindAllStringIndex(text, -1) {
		if strings.Count(text[:at[0]], "'")%2 == 0 && strings.Count(text[:at[0]], `"`)%2 == 0 {
			return text[:at[0]]
		}
	}
	return text
}

// ShellWords splits a command line as a shell does. It is false for one that does more
// than to run a program.
func ShellWords(line string) (words []string, simple bool) {
	var word strings.Builder
	begun, quote := false, rune(0)
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == '"' && strings.ContainsRune("$`\\", r):
			return nil, false
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ':
			end()
		case strings.ContainsRune("$`\\;|&<>()*", r):
			return nil, false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return words, quote == 0
}

// ReadPage reads a page of a checkout.
func ReadPage(t *testing.T, root, page string) string {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	require.NoError(t, err)
	return string(text)
}
