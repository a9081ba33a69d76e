//go:build unix

package clitest

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
	"shmbench/internal/testkit/deadline"
)

// A TypedLine is a command line that is refused or interrupted, or that must not be, and what
// it may leave behind.
type TypedLine struct {
	Line string // flags and arguments, without quotes
	// Source: it runs in this checkout, and not in a folder of its own with the files
	// of the test.
	Source bool
	Stdout string // "closed", or "full", where it is not read
	// Signals are sent once the file that Begun matches is there and has something in
	// it: in TMPDIR, where a * stands for a random part, or in the folder of its own.
	// Negative ones go to the process group, as those of a terminal do.
	Signals []syscall.Signal
	Begun   string
	// Beside is a command line that is refused because this one runs in the same folder.
	Beside, Refusal string
	Cold            bool // with no build cache, so that a build takes long
	Ignores         bool // hangups, as under nohup

	Status int
	Says   string // all of standard error, as a regular expression
	// Makes are the files that it adds to its folder, and what is in each, as a
	// regular expression. No other file may be new or changed.
	Makes map[string]string
}

// CommandLines builds the program whose package is in the working directory, and tests each
// command line in a folder with the files. Whatever the command line and however it ends,
// the program says in one line what was wrong, and leaves nothing behind: no temporary
// file, no changed file that it was not told to write, and no process.
func CommandLines(t *testing.T, lines []TypedLine, files map[string]string) {
	program := filepath.Join(t.TempDir(), "program")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	// A program inherits that hangups are ignored, as they are where nohup runs the tests.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	for _, c := range lines {
		name := strings.TrimSpace(c.Line)
		for _, s := range c.Signals {
			name += " " + s.String()
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.test(t, program, files)
		})
	}
}

func (c TypedLine) test(t *testing.T, program string, files map[string]string) {
	tmp, home := t.TempDir(), t.TempDir()
	if c.Source {
		home = filepath.Join("..", "..")
	} else {
		for name, text := range files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o666))
		}
	}
	cmd := exec.Command(program, strings.Fields(c.Line)...)
	if c.Ignores {
		cmd = exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh", program}, strings.Fields(c.Line)...)...)
	}
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	if c.Cold {
		cmd.Env = append(cmd.Env, "GOCACHE="+t.TempDir())
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var diag bytes.Buffer
	cmd.Stderr = &diag
	switch c.Stdout {
	case "closed":
		r, w, err := os.Pipe()
		require.NoError(t, err)
		r.Close()
		defer w.Close()
		cmd.Stdout = w
	case "full":
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		defer full.Close()
		cmd.Stdout = full
	}
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	c.interrupt(t, program, cmd.Process.Pid, tmp, home, ended)
	select {
	case <-ended:
	case <-time.After(deadline.Half(t)):
		t.Error("it does not end")
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	}
	assert.Equal(t, c.Status, cmd.ProcessState.ExitCode(), "%v: %s", cmd.ProcessState, &diag)
	assert.Regexp(t, "^(?:"+c.Says+")$", diag.String())
	assert.Empty(t, filesIn(t, tmp), "left in TMPDIR")
	if !c.Source {
		requireFiles(t, home, files, c.Makes)
	}
	assert.Eventually(t, func() bool { return len(processesWith("TMPDIR="+tmp)) == 0 }, deadline.Half(t), 10*time.Millisecond, "still running")
}

// interrupt runs what is beside, and sends the signals, once the work has begun.
func (c TypedLine) interrupt(t *testing.T, program string, pid int, tmp, home string, ended <-chan struct{}) {
	late := time.After(deadline.Half(t))
	for i, signal := range c.Signals {
		for i == 0 && !hasBegun(filepath.Join(tmp, c.Begun)) && !hasBegun(filepath.Join(home, c.Begun)) {
			select {
			case <-ended:
				t.Error("it ended before it was interrupted")
				return
			case <-late:
				t.Errorf("there is no %s: it has not begun", c.Begun)
				return
			case <-time.After(time.Millisecond):
			}
		}
		if i == 0 && c.Beside != "" {
			second := exec.Command(program, strings.Fields(c.Beside)...)
			second.Dir = home
			said, _ := second.CombinedOutput()
			assert.Equal(t, cli.Usage, second.ProcessState.ExitCode())
			assert.Equal(t, c.Refusal, string(said))
		}
		if i > 0 {
			time.Sleep(200 * time.Millisecond) // or two are one interruption
		}
		if signal < 0 {
			pid, signal = -pid, -signal
		}
		syscall.Kill(pid, signal)
	}
}

// hasBegun reports whether a file of the pattern is there and has something in it.
func hasBegun(pattern string) bool {
	all, _ := filepath.Glob(pattern)
	for _, name := range all {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			return true
		}
	}
	return false
}

// filesIn returns the files in a folder at any depth, and what is in them.
func filesIn(t *testing.T, folder string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == folder {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		if entry.IsDir() {
			files[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	}))
	return files
}

// requireFiles requires that a folder has the files and what else was made, and
// nothing more.
func requireFiles(t *testing.T, folder string, files, makes map[string]string) {
	got := filesIn(t, folder)
	for name, text := range files {
		assert.Equal(t, text, got[name], "%s has changed", name)
		delete(got, name)
	}
	delete(got, "data/")
	for name, matching := range makes {
		if assert.Contains(t, got, name) {
			assert.Regexp(t, matching, got[name], name)
		}
		delete(got, name)
	}
	assert.Empty(t, got, "new files")
}

// processesWith returns the command lines of the processes that have a variable in
// their environment. Only Linux tells.
func processesWith(variable string) (commands []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	marked := regexp.MustCompile(`(?:^|\x00)` + regexp.QuoteMeta(variable) + `(?:\x00|$)`)
	for _, name := range all {
		if text, err := os.ReadFile(name); err == nil && marked.Match(text) {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			commands = append(commands, strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return commands
}

// Sent are signals to the program.
func Sent(signals ...syscall.Signal) []syscall.Signal { return signals }

// ToAll is a signal to the process group of the program.
func ToAll(signal syscall.Signal) []syscall.Signal { return Sent(-signal) }
