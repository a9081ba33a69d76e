// Package clitest tests what all verbs of a program on package cli promise.
package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
)

// A Program is the program under test.
type Program struct {
	Name  string // that a shell finds
	Verbs []cli.Verb
	Run   func(ctx context.Context, args ...string) (stdout, stderr string, status int) // in this process
	// File returns the file that a word of a Promise stands for, or the word; nil for none.
	File func(t *testing.T, word string) string
}

// A Promise is how a verb is put to the test of what all verbs promise.
type Promise struct {
	// Quick are flags and arguments with which the verb prints something soon.
	Quick string
	// Long are arguments with which the verb goes on for a while; it is empty if nothing
	// makes it. PIPE is a file that never ends, PAGE a page to be written, and FOLDER a
	// folder to be written. Every other word that Program.File knows stands for its file.
	Long string
	// Varies: the machine decides about the status of Quick.
	Varies bool
	// Twice is a flag and its value.
	Twice string
}

// Promises tests that every verb keeps the promises of all verbs. These are help, one line for
// wrong use, and no harm from an output that takes nothing. They also include an end within a
// second of an interruption with the results so far. It fails for a verb that has no promise.
func (p Program) Promises(t *testing.T, promises map[string]Promise) {
	t.Helper()
	for _, v := range p.Verbs {
		t.Run(strings.ReplaceAll(v.Name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			promise, ok := promises[v.Name]
			require.True(t, ok, "the verb is not in the table of promises")
			words := strings.Fields(v.Name)
			quick := func() []string { return slices.Concat(words, p.arguments(t, promise.Quick)) }
			long := slices.Concat(words, p.arguments(t, promise.Long))

			_, _, status := p.process(t, nil, append(words, "-h")...)
			require.Equal(t, cli.Holds, status)
			for _, wrong := range [][]string{{"-frobnicate"}, strings.Fields(promise.Twice + " " + promise.Twice)} {
				out, diag, status := p.process(t, nil, append(words, wrong...)...)
				require.Equal(t, cli.Usage, status, wrong)
				require.Empty(t, out)
				require.Equal(t, 1, strings.Count(diag, "\n"), "one line: %s", diag)
			}
			usual, diag, normally := p.process(t, nil, quick()...)
			require.NotEmpty(t, usual)
			require.NotContains(t, diag, "goroutine ")

			t.Run("full disk", func(t *testing.T) {
				full := "/dev/full"
				if _, err := os.Stat(full); err != nil {
					t.Skip(err)
				}
				for _, args := range [][]string{quick(), slices.Concat(words, []string{"-h"})} {
					f, err := os.OpenFile(full, os.O_WRONLY, 0)
					require.NoError(t, err)
					_, diag, status := p.process(t, f, args...)
					require.Equal(t, cli.Usage, status, diag)
					require.Contains(t, diag, "standard output: ")
				}
			})
			t.Run("closed output", func(t *testing.T) {
				r, w, err := os.Pipe()
				require.NoError(t, err)
				r.Close()
				_, diag, status := p.process(t, w, quick()...)
				require.True(t, status == normally || promise.Varies, "a reader that has gone changes no verdict: %s", diag)
				require.NotContains(t, diag, "goroutine ")
			})
			t.Run("canceled", func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				_, diag, status := p.Run(ctx, quick()...)
				require.Equal(t, cli.Undecided, status, diag)
			})
			if promise.Long == "" || runtime.GOOS == "windows" {
				return
			}
			p.keepsWhatWasMeasured(t, v.Name, long)
		})
	}
}

// keepsWhatWasMeasured tests that a verb which is interrupted prints a document that says
// that it is not complete, and that the second interrupt ends it at once.
func (p Program) keepsWhatWasMeasured(t *testing.T, verb string, long []string) {
	words := len(strings.Fields(verb))
	t.Run("interrupted", func(t *testing.T) {
		out, diag := p.interrupted(t, 1, slices.Insert(slices.Clone(long), words, "-json")...)
		var document struct {
			Format   string
			Complete *bool
		}
		require.NoError(t, json.Unmarshal([]byte(out), &document), "%s\n%s", out, diag)
		require.Equal(t, p.Name+" "+verb+" 1", document.Format)
		require.NotNil(t, document.Complete)
		require.False(t, *document.Complete)
		require.Contains(t, diag, "interrupted")
	})
	t.Run("interrupted twice", func(t *testing.T) {
		_, diag := p.interrupted(t, 2, long...)
		require.NotContains(t, diag, "goroutine ")
	})
}

// arguments returns the words of a promise with its files in place.
func (p Program) arguments(t *testing.T, line string) []string {
	t.Helper()
	args := strings.Fields(line)
	for i, arg := range args {
		switch arg {
		case "FOLDER": // that is not there
			args[i] = filepath.Join(t.TempDir(), "folder")
		case "PAGE":
			args[i] = filepath.Join(t.TempDir(), "page.html")
		case "PIPE":
			path := filepath.Join(t.TempDir(), "pipe")
			if err := exec.Command("mkfifo", path).Run(); err != nil {
				t.Skip(err)
			}
			args[i] = path
		default:
			if p.File != nil {
				args[i] = p.File(t, arg)
			}
		}
	}
	return args
}

// Path returns the path of the program of this name.
func Path(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err)
	return path
}

// process runs the program, with stdout, which it closes, for its
// standard output unless that is nil.
func (p Program) process(t *testing.T, stdout *os.File, args ...string) (out, diag string, status int) {
	t.Helper()
	cmd := exec.Command(Path(t, p.Name), args...)
	var outs, diags bytes.Buffer
	cmd.Stdout, cmd.Stderr = &outs, &diags
	if stdout != nil {
		cmd.Stdout = stdout
		defer stdout.Close()
	}
	err := cmd.Run()
	require.NotNil(t, cmd.ProcessState, err)
	return outs.String(), diags.String(), cmd.ProcessState.ExitCode()
}

// interrupted interrupts the program so many times while it works.
func (p Program) interrupted(t *testing.T, times int, args ...string) (out, diag string) {
	t.Helper()
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		cmd := exec.Command(Path(t, p.Name), args...)
		var outs, diags bytes.Buffer
		cmd.Stdout, cmd.Stderr = &outs, &diags
		require.NoError(t, cmd.Start())
		time.Sleep(wait)
		for range times {
			cmd.Process.Signal(os.Interrupt)
			time.Sleep(20 * time.Millisecond)
		}
		cmd.Wait()
		status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if status.Signaled() && wait < 10*time.Second {
			continue // it had not got as far as to handle signals
		}
		require.Equal(t, cli.Undecided, cmd.ProcessState.ExitCode(), diags.String())
		return outs.String(), diags.String()
	}
}
