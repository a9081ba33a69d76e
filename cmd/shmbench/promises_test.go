package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
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
)

// promise is how a verb is put to the test of what all verbs promise.
type promise struct {
	// quick are flags and arguments with which the verb prints something soon.
	quick string
	// long are those with which it goes on for a while; empty if nothing makes
	// it. RESULTS is a file of results, PIPE one that never ends, PAGE one to be
	// written, and FOLDER a folder to be written.
	long string
	// twice is a flag and its value.
	twice string
}

// promises has every verb: TestEveryVerbKeepsItsPromises fails for one that is
// not here.
var promises = map[string]promise{
	"list":         {quick: "-alg ^tas/", twice: "-alg tas"},
	"run":          {quick: "-alg ^tas/tas$ -procs 1 -count 1 -d 50ms", long: "-alg ^tas/tas$ -procs 1 -count 1000 -d 100ms", twice: "-count 1"},
	"compare":      {quick: "RESULTS RESULTS", long: "PIPE RESULTS", twice: "-unit ns/op"},
	"report":       {quick: "-o PAGE RESULTS", long: "-o PAGE PIPE", twice: "-o x.html"},
	"all":          {quick: "-o PAGE -alg ^tas/tas$ -parts cards", long: "-o PAGE -alg ^tas/tas$ -d 1m -parts cards,stress", twice: "-count 3"},
	"stress":       {quick: "-alg ^tas/tas$ -d 10ms", long: "-alg ^tas/tas$ -d 1h", twice: "-seed 7"},
	"check":        {quick: "-alg ^tas/tas$ -procs 2 -replays 0", long: "-alg ^bakery/lamport$ -procs 8 -passages 1000", twice: "-procs 2"},
	"predict":      {quick: "-machines", long: "-alg ^bakery/lamport$ -procs 64 -passages 1000000 -accesses 1000000000000", twice: "-seed 7"},
	"new":          {quick: "FOLDER -kind try", twice: "-name lock"},
	"lockstep":     {quick: "-alg peterson/peterson -procs 2", twice: "-lines 3"},
	"dist run":     {quick: "-alg central -nodes 3 -entries 10", long: "-alg central -nodes 31 -entries 1000000000", twice: "-nodes 3"},
	"dist table":   {quick: "-alg ^central$ -nodes 3", long: "-nodes 1000", twice: "-nodes 3"},
	"dist scale":   {quick: "-alg ^central$ -nodes 3,5", long: "-nodes 1000,10000", twice: "-nodes 3,4"},
	"dist elect":   {quick: "-nodes 4", long: "-table -nodes 128", twice: "-nodes 3"},
	"dist study":   {quick: "-nodes 3 -threads 1 -rates 1 -entries 40 -warmup 0 -replications 2 -claims=false", long: "-entries 10000000", twice: "-nodes 3"},
	"dist explore": {quick: "-alg central -nodes 2", long: "-alg lamport -nodes 4 -requests 0 -max-states 1000000000", twice: "-nodes 3"},
	"dist replay":  {quick: "-scenario ricart-agrawala", twice: "-list=true"},
	"dist verify":  {quick: "-alg ^central$ -max-states 10", long: "-max-states 1000000000", twice: "-alg central"},
	"dist mutants": {quick: "-alg ^chang-roberts-", twice: "-alg ring"},
}

func TestEveryVerbKeepsItsPromises(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every verb several times")
	}
	t.Parallel() // most of it is waiting
	for _, v := range verbs {
		t.Run(strings.ReplaceAll(v.Name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			p, ok := promises[v.Name]
			require.True(t, ok, "the verb is not in the table of promises")
			words := strings.Fields(v.Name)
			quick := func() []string { return slices.Concat(words, arguments(t, p.quick)) }
			long := slices.Concat(words, arguments(t, p.long))

			_, _, status := shmbenchProcess(t, nil, append(words, "-h")...)
			require.Equal(t, exitHolds, status)
			for _, wrong := range [][]string{{"-frobnicate"}, strings.Fields(p.twice + " " + p.twice)} {
				out, diag, status := shmbenchProcess(t, nil, append(words, wrong...)...)
				require.Equal(t, exitUsage, status, wrong)
				require.Empty(t, out)
				require.Equal(t, 1, strings.Count(diag, "\n"), "one line: %s", diag)
			}
			usual, diag, normally := shmbenchProcess(t, nil, quick()...)
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
					_, diag, status := shmbenchProcess(t, f, args...)
					require.Equal(t, exitUsage, status, diag)
					require.Contains(t, diag, "standard output: ")
				}
			})
			t.Run("closed output", func(t *testing.T) {
				r, w, err := os.Pipe()
				require.NoError(t, err)
				r.Close()
				_, diag, status := shmbenchProcess(t, w, quick()...)
				require.Equal(t, normally, status, "a reader that has gone changes no verdict: %s", diag)
				require.NotContains(t, diag, "goroutine ")
			})
			t.Run("cancelled", func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				_, diag, status := shmbench(ctx, quick()...)
				require.Equal(t, exitUndecided, status, diag)
			})
			if p.long == "" || runtime.GOOS == "windows" {
				return
			}
			t.Run("interrupted", func(t *testing.T) {
				out, diag := interruptedProcess(t, 1, slices.Insert(slices.Clone(long), len(words), "-json")...)
				var document struct {
					Format   string
					Complete *bool
				}
				require.NoError(t, json.Unmarshal([]byte(out), &document), "%s\n%s", out, diag)
				require.Equal(t, "shmbench "+v.Name+" 1", document.Format)
				require.NotNil(t, document.Complete)
				require.False(t, *document.Complete)
				require.Contains(t, diag, "interrupted")
			})
			t.Run("interrupted twice", func(t *testing.T) {
				_, diag := interruptedProcess(t, 2, long...)
				require.NotContains(t, diag, "goroutine ")
			})
		})
	}
}

// The second signal ends the program whatever it does.
func TestTheSecondSignalEndsTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	cmd := exec.Command(program(t, "hangs"), "hang")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	_, err = io.ReadFull(out, make([]byte, len("hanging\n")))
	require.NoError(t, err)
	go func() { ended <- cmd.Wait() }()
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	select {
	case <-ended:
		t.Fatal("the first signal alone does not end what hangs and has an hour")
	case <-time.After(100 * time.Millisecond):
	}
	for { // one may fall together with the first
		if errors.Is(cmd.Process.Signal(os.Interrupt), os.ErrProcessDone) {
			break
		}
		select {
		case <-ended:
			require.Equal(t, exitUndecided, cmd.ProcessState.ExitCode())
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	<-ended
	require.Equal(t, exitUndecided, cmd.ProcessState.ExitCode())
}

// A verb that does not end within its grace is left behind, with a document.
func TestAVerbThatDoesNotEndIsLeftBehind(t *testing.T) {
	defer func(was time.Duration, all []verb) { grace, verbs = was, all }(grace, verbs)
	grace = time.Millisecond
	verbs = []verb{{Name: "hang", Setup: setupHang}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, diag, status := shmbench(ctx, "hang", "-json")
	require.Equal(t, exitUndecided, status)
	require.JSONEq(t, `{"format": "shmbench hang 1", "complete": false, "results": null}`, out)
	require.Contains(t, diag, "given up")
}

// arguments returns the words of a promise with its files in place.
func arguments(t *testing.T, line string) []string {
	t.Helper()
	args := strings.Fields(line)
	for i, arg := range args {
		switch arg {
		case "RESULTS":
			args[i] = results(t, 100)
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
		}
	}
	return args
}

func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err)
	return path
}

// shmbenchProcess runs the program, with stdout, which it closes, for its
// standard output unless that is nil.
func shmbenchProcess(t *testing.T, stdout *os.File, args ...string) (out, diag string, status int) {
	t.Helper()
	cmd := exec.Command(program(t, "shmbench"), args...)
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

// interruptedProcess interrupts the program so many times while it works.
func interruptedProcess(t *testing.T, times int, args ...string) (out, diag string) {
	t.Helper()
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		cmd := exec.Command(program(t, "shmbench"), args...)
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
		require.Equal(t, exitUndecided, cmd.ProcessState.ExitCode(), diags.String())
		return outs.String(), diags.String()
	}
}
