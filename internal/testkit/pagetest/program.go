package pagetest

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"shmbench/internal/cli"
	"shmbench/internal/testkit/deadline"
)

// A Program is the program under test, which tests run in their own process. Its name is
// also that of a program that a shell finds.
type Program struct {
	Name string
	Run  func(ctx context.Context, args ...string) (stdout, stderr string, status int)
}

// RequireUnderstood requires that the program takes the flags of a command line. The
// program is interrupted before it begins.
func (p Program) RequireUnderstood(t *testing.T, line string) {
	t.Helper()
	for part := range strings.SplitSeq(line, "; ") {
		words, simple := ShellWords(strings.TrimSpace(part))
		if !simple || len(words) == 0 || words[0] != p.Name {
			continue
		}
		withoutOutputs(".", words)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, diag, status := p.Run(ctx, words[1:]...)
		assert.NotEqual(t, cli.Usage, status, "%s: %s", line, diag)
	}
}

// Ran runs a command line, which must end and print as its block says, and returns what it
// printed on both outputs.
func (p Program) Ran(t *testing.T, h *HowToRun, dir string) string {
	status := 0
	words, simple := ShellWords(h.Line())
	if simple && words[0] == p.Name {
		withoutOutputs(dir, words)
	}
	var out bytes.Buffer
	if simple && words[0] == p.Name && h.Quick != "" {
		t.Chdir(dir)
		stdout, diag, code := p.Run(t.Context(), words[1:]...)
		out.WriteString(stdout + diag)
		status = code
	} else {
		ctx, cancel := context.WithTimeout(t.Context(), deadline.Half(t))
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash", "-c", "set -o pipefail; "+h.Line())
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		status = cmd.ProcessState.ExitCode()
	}
	assert.Equal(t, h.Exit(), status, "%s: %s", h.Line(), &out)
	assert.Regexp(t, h.Like, out.String(), h.Line())
	return out.String()
}
