package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/server"
	"shmbench/distributed/natsnet/wire"
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

// Nodes without a parent find each other by what the command line says, and end
// when the load of all is over.
func TestNodesAlone(t *testing.T) {
	s, err := server.Start(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(s.Stop)
	program, err := os.Executable()
	require.NoError(t, err)
	run := wire.NewRun().String()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			cmd := exec.CommandContext(ctx, program, "node", "-id", fmt.Sprint(i), "-of", "3", "-alg", "raymond", "-run", run, "-entries", "30", "-cs", "0")
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
}
