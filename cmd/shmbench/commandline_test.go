//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/internal/deadline"
)

// A typedLine is a command line that is refused or interrupted, or that must not be, and what
// it may leave behind.
type typedLine struct {
	line string // flags and arguments, without quotes
	// source: it runs in this checkout, and not in a folder of its own with the files
	// of commandFiles.
	source bool
	stdout string // "closed", or "full", where it is not read
	// signals are sent once the file that begun matches is there and has something in
	// it: in TMPDIR, where a * stands for what is drawn, or in the folder of its own.
	// Negative ones go to the process group, as those of a terminal do.
	signals []syscall.Signal
	begun   string
	// beside is a command line that is refused because this one runs in the same folder.
	beside, refusal string
	cold            bool // with no build cache, so that a build takes long
	ignores         bool // hangups, as under nohup

	status int
	says   string // all of standard error, as a regular expression
	// makes are the files that it adds to its folder, and what is in each, as a
	// regular expression. No other file may be new or changed.
	makes map[string]string
}

// commandFiles are the files in the folder of a command line.
var commandFiles = map[string]string{
	"run.txt":       resultsOf("tas-tas"),
	"data/run.txt":  resultsOf("tas-tas"),
	"data/more.txt": resultsOf("queue-mcs"),
	"old.html":      "an old page",
	"graph.dot":     "an old graph",
	"trace.txt":     "an old trace",
	"tree.txt":      "0 0 0",
}

// resultsOf is a file of results of one lock.
func resultsOf(alg string) string {
	text := "Unit ns/op better=lower\ncpu: A CPU\n"
	for i := range 9 {
		text += "BenchmarkPassage/alg=" + alg + "/procs=2/cs=0/ncs=0 1 " + strconv.Itoa(100+i) + " ns/op\n"
	}
	return text
}

// Whatever the command line and however it ends, the program says in one line what
// was wrong, and leaves nothing behind: no temporary file, no changed file that it was
// not told to write, and no process.
func TestCommandLines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "shmbench")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	// A program inherits that hangups are ignored, as they are where nohup runs the tests.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	for _, c := range commandLines {
		name := strings.TrimSpace(c.line)
		for _, s := range c.signals {
			name += " " + s.String()
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.test(t, program)
		})
	}
}

func (c typedLine) test(t *testing.T, program string) {
	tmp, home := t.TempDir(), t.TempDir()
	if c.source {
		home = filepath.Join("..", "..")
	} else {
		for name, text := range commandFiles {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o666))
		}
	}
	cmd := exec.Command(program, strings.Fields(c.line)...)
	if c.ignores {
		cmd = exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh", program}, strings.Fields(c.line)...)...)
	}
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	if c.cold {
		cmd.Env = append(cmd.Env, "GOCACHE="+t.TempDir())
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var diag bytes.Buffer
	cmd.Stderr = &diag
	switch c.stdout {
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
	assert.Equal(t, c.status, cmd.ProcessState.ExitCode(), "%v: %s", cmd.ProcessState, &diag)
	assert.Regexp(t, "^(?:"+c.says+")$", diag.String())
	assert.Empty(t, filesIn(t, tmp), "left in TMPDIR")
	if !c.source {
		requireFiles(t, home, c.makes)
	}
	assert.Eventually(t, func() bool { return len(processesWith("TMPDIR="+tmp)) == 0 }, deadline.Half(t), 10*time.Millisecond, "still running")
}

// interrupt runs what is beside, and sends the signals, once the work has begun.
func (c typedLine) interrupt(t *testing.T, program string, pid int, tmp, home string, ended <-chan struct{}) {
	late := time.After(deadline.Half(t))
	for i, signal := range c.signals {
		for i == 0 && !hasBegun(filepath.Join(tmp, c.begun)) && !hasBegun(filepath.Join(home, c.begun)) {
			select {
			case <-ended:
				t.Error("it ended before it was interrupted")
				return
			case <-late:
				t.Errorf("there is no %s: it has not begun", c.begun)
				return
			case <-time.After(time.Millisecond):
			}
		}
		if i == 0 && c.beside != "" {
			second := exec.Command(program, strings.Fields(c.beside)...)
			second.Dir = home
			said, _ := second.CombinedOutput()
			assert.Equal(t, exitUsage, second.ProcessState.ExitCode())
			assert.Equal(t, c.refusal, string(said))
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

// requireFiles requires that a folder has the commandFiles and what else was made, and
// nothing more.
func requireFiles(t *testing.T, folder string, makes map[string]string) {
	got := filesIn(t, folder)
	for name, text := range commandFiles {
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
