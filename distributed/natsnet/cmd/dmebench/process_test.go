//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/server"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/cli"
)

// gone waits until there is no process of that number, or one that is only waited for.
func gone(t *testing.T, pid int) {
	for end := time.Now().Add(long); ; time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil && syscall.Kill(pid, 0) != nil {
			return
		}
		if _, after, found := bytes.Cut(stat, []byte(") ")); found && after[0] == 'Z' {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("process %d lives", pid)
		}
	}
}

// asProgram makes the test program be dmebench.
const asProgram = "DMEBENCH_TEST_AS_PROGRAM"

// orphans makes the test program begin a run, say its processes, and wait.
const orphans = "DMEBENCH_TEST_ORPHANS"

func begin() {
	var t testing.T
	r, err := harness.Begin(context.Background(), options(&t, "central", "one", 3, 1))
	if err != nil {
		panic(err)
	}
	syscall.Kill(r.PID(2), syscall.SIGSTOP)
	fmt.Println(r.PID(0), r.PID(1), r.PID(2))
	select {}
}

// Nodes end with the program that started them, also when that is killed and one
// of them is stopped.
func TestNoOrphans(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("without /proc a stopped process outlives its parent")
	}
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), orphans+"=yes")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Kill())
	cmd.Wait()
	var pids [3]int
	_, err = fmt.Sscan(line, &pids[0], &pids[1], &pids[2])
	require.NoError(t, err)
	for _, pid := range pids {
		gone(t, pid)
	}

	// The same when the run is closed in good order.
	r, err := harness.Begin(t.Context(), options(t, "central", "one", 3, 1))
	require.NoError(t, err)
	pids = [3]int{r.PID(0), r.PID(1), r.PID(2)}
	require.NoError(t, syscall.Kill(pids[1], syscall.SIGSTOP))
	require.NoError(t, r.Close())
	for _, pid := range pids {
		gone(t, pid)
	}
}

// Nodes without a parent find each other by the addresses on the command line, and end
// when the load of all is over.
func TestNodesAlone(t *testing.T) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	program, err := os.Executable()
	require.NoError(t, err)
	run, dir := wire.NewRun().String(), t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			cmd := exec.CommandContext(ctx, program, "node", "-id", fmt.Sprint(i), "-of", "3", "-alg", "raymond", "-run", run, "-entries", "30", "-cs", "0", "-resource", "kv", "-history", filepath.Join(dir, fmt.Sprint(i)))
			cmd.Env = append(os.Environ(), harness.EnvNATS+"="+s.URL())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil || !strings.HasPrefix(string(out), fmt.Sprintf("node %d: ", i)) || !strings.Contains(stderr.String(), "all 3 nodes have met") {
				t.Errorf("node %d: %v: %s\n%s", i, err, out, &stderr)
			}
		})
	}
	wg.Wait()
	files := []string{filepath.Join(dir, "0"), filepath.Join(dir, "1"), filepath.Join(dir, "2")}
	for _, flags := range [][]string{nil, {"-one-machine"}} {
		out, errs, status := dmebench(t.Context(), append(append([]string{"judge"}, flags...), files...)...)
		require.Zero(t, status, errs)
		require.Regexp(t, `^3\d entries: holds: `, out)
	}
	out, errs, status := dmebench(t.Context(), "judge", files[0], files[0])
	require.Equal(t, cli.Usage, status)
	require.Empty(t, out)
	require.Contains(t, errs, "both hold the history of process")
}

// An interrupted run says so within a second and leaves no process behind.
func TestInterrupted(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, "run", "-alg", "central", "-nodes", "3", "-entries", "1000000", "-warmup", "0", "-over", "tcp", "-json")
	cmd.Env = append(os.Environ(), asProgram+"=yes")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Start())
	var pids []int
	for len(pids) < 4 { // and the process that removes the folder
		pids = childrenOf(t, cmd.Process.Pid)
	}
	for _, pid := range pids { // until each has made some entries
		name := historyOf(t, pid)
		for end := time.Now().Add(long); name != "" && time.Now().Before(end); time.Sleep(time.Millisecond) {
			if info, err := os.Stat(name); err == nil && info.Size() > 1000 {
				break
			}
		}
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, cli.Undecided, exit.ExitCode(), errs.String())
	require.Contains(t, errs.String(), "interrupted after ")
	var document struct {
		Complete bool
		Results  harness.Result
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &document), out.String())
	require.False(t, document.Complete)
	require.Greater(t, document.Results.History.Entries, 1, "what was measured is kept")
	require.True(t, document.Results.History.Holds)
	require.Positive(t, document.Results.Measured.Throughput)
	for _, pid := range pids {
		gone(t, pid)
	}
}

// historyOf returns the file in which a process writes its history; "": it is no node.
func historyOf(t *testing.T, pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	require.NoError(t, err)
	args := strings.Split(string(b), "\x00")
	if k := slices.Index(args, "-history"); k >= 0 {
		return args[k+1]
	}
	return ""
}

// The folder of a run is gone when the run is, also when the program that made it is
// killed, or ended by a signal to the whole process group.
func TestNoFolderStays(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	for _, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(end) {
			continue // as under nohup: then the program ignores it too
		}
		temporary := t.TempDir()
		cmd := exec.Command(program, "run", "-alg", "central", "-nodes", "3", "-entries", "1000000")
		cmd.Env = append(os.Environ(), asProgram+"=yes", "TMPDIR="+temporary)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		require.NoError(t, cmd.Start())
		var pids []int
		for len(pids) < 4 {
			pids = childrenOf(t, cmd.Process.Pid)
		}
		there := func() bool {
			entries, err := os.ReadDir(temporary)
			require.NoError(t, err)
			return len(entries) > 0
		}
		require.True(t, there())
		if end == syscall.SIGKILL {
			require.NoError(t, cmd.Process.Kill())
		} else {
			require.NoError(t, syscall.Kill(-cmd.Process.Pid, end))
		}
		cmd.Wait()
		for late := time.Now().Add(long); there(); time.Sleep(time.Millisecond) {
			require.True(t, time.Now().Before(late), "after %v", end)
		}
		for _, pid := range pids {
			gone(t, pid)
		}
	}
}

// childrenOf returns the processes that process pid has started.
func childrenOf(t *testing.T, pid int) (children []int) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	require.NoError(t, err)
	if len(tasks) == 0 {
		t.Skip("the system does not list children")
	}
	for _, name := range tasks {
		b, _ := os.ReadFile(name) // the thread may have ended
		for _, f := range strings.Fields(string(b)) {
			child, err := strconv.Atoi(f)
			require.NoError(t, err)
			children = append(children, child)
		}
	}
	return children
}
