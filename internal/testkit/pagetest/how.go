package pagetest

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A HowToRun says of a command line how the tests run it, where that is not as it
// stands: a block of a file such as testdata/pages.txt.
type HowToRun struct {
	Command string
	output  string // instead: the page and the first line of a block that no command prints, as never says
	Add     string // flags that make it short
	As      string // what is run instead
	status  string // that it ends with; empty: 0
	Like    string // a regular expression for the output
	Quick   string // the reason to run it without -all, too
	Never   string // why it is not run at all
}

func (h *HowToRun) fields() map[string]*string {
	return map[string]*string{"command": &h.Command, "output": &h.output, "add": &h.Add, "as": &h.As, "status": &h.status, "like": &h.Like,
		"quick": &h.Quick, "never": &h.Never}
}

// HowsToRun reads such a file: blocks of lines "name: value", with empty lines between
// them. Lines that begin with # are remarks.
func HowsToRun(t *testing.T, file string) (all []*HowToRun) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for block := range strings.SplitSeq(string(text), "\n\n") {
		h := new(HowToRun)
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
		if *h == (HowToRun{}) {
			continue
		}
		require.False(t, h.Command == "" && (h.output == "" || h.Never == ""), "%s: no command: %s", file, block)
		all = append(all, h)
	}
	return all
}

// Line is the command line that is run.
func (h *HowToRun) Line() string {
	line := h.Command
	if h.As != "" {
		line = h.As
	}
	if h.Add != "" {
		line += " " + h.Add
	}
	// The program under test is built already, and the folder is no checkout.
	line = strings.ReplaceAll(line, "go run ./cmd/shmbench", "shmbench")
	if !strings.HasPrefix(line, "go ") { // shmbench takes no import path, and the folder has links to what it is given
		return line
	}
	return ofCheckout.ReplaceAllString(line, " shmbench/$1")
}

// ofCheckout is a package of the checkout.
var ofCheckout = regexp.MustCompile(` \./((?:bench|examples|internal|shm|check)\b[a-z/]*)`)

// Exit is the status with which it must end.
func (h *HowToRun) Exit() int {
	status, _ := strconv.Atoi(h.status)
	return status
}
