//go:build unix

package scratch_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/scratch"
	"shmbench/internal/testkit/deadline"
)

// asked is the environment variable with the folder of a program that leaves
// nothing behind: that folder has its temporary folders, and the file "pids".
const asked = "SCRATCH_TEST"

func TestMain(m *testing.M) {
	if tmp, ok := os.LookupEnv(asked); ok {
		end(tmp)
	}
	os.Exit(m.Run())
}

// end is a program that ends while a command of it runs, and while another
// goroutine would go on.
func end(tmp string) {
	if _, _, err := scratch.Folder(tmp, "folder-"); err != nil {
		panic(err)
	}
	go func() {
		for {
			if _, _, err := scratch.Folder(tmp, "more-"); err != nil {
				continue
			}
			time.Sleep(time.Millisecond)
		}
	}()
	go scratch.Run(sleepers(context.Background(), filepath.Join(tmp, "pids")))
	pids(filepath.Join(tmp, "pids"))
	scratch.End()
	os.Exit(0)
}

// sleepers is a command with a child. Both sleep, and are in a file then.
func sleepers(ctx context.Context, file string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", `sleep 1000 & echo $$ $! >"$1.new"; mv "$1.new" "$1"; wait`, "sh", file)
}

// pids waits for the file of sleepers and returns its processes.
func pids(file string) (all []int) {
	for {
		text, err := os.ReadFile(file)
		if err == nil {
			for _, word := range strings.Fields(string(text)) {
				pid, _ := strconv.Atoi(word)
				all = append(all, pid)
			}
			return all
		}
		time.Sleep(time.Millisecond)
	}
}

// gone reports whether a process is gone, or is no more than an entry that its
// parent has not read.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z")
}

func requireGone(t *testing.T, all []int) {
	t.Helper()
	require.Len(t, all, 2)
	for _, pid := range all {
		require.Eventually(t, func() bool { return gone(pid) }, deadline.Half(t), time.Millisecond, "process %d is still there", pid)
	}
}

func TestRemove(t *testing.T) {
	dir, remove, err := scratch.Folder(t.TempDir(), "folder-")
	require.NoError(t, err)
	require.Contains(t, filepath.Base(dir), "folder-")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	remove()
	require.NoDirExists(t, dir)
	remove()
	_, _, err = scratch.Folder(filepath.Join(t.TempDir(), "none"), "folder-")
	require.ErrorIs(t, err, os.ErrNotExist)

	left := t.TempDir()
	remove, err = scratch.Adopt(left)
	require.NoError(t, err)
	remove()
	require.NoDirExists(t, left)
}

func TestACancelledCommandEndsWithItsChildren(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- scratch.Run(sleepers(ctx, file)) }()
	all := pids(file)
	require.False(t, gone(all[0]) || gone(all[1]), "the test can tell that a process runs")
	cancel()
	require.Error(t, <-ended)
	requireGone(t, all)
}

func TestRunReturnsWhatTheCommandDoes(t *testing.T) {
	require.NoError(t, scratch.Run(exec.CommandContext(t.Context(), "true")))
	var exit *exec.ExitError
	require.ErrorAs(t, scratch.Run(exec.CommandContext(t.Context(), "sh", "-c", "exit 3")), &exit)
	require.Equal(t, 3, exit.ExitCode())
	require.ErrorIs(t, scratch.Run(exec.CommandContext(t.Context(), "/no/such/program")), os.ErrNotExist)
}

func TestEndLeavesNothing(t *testing.T) {
	tmp := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asked+"="+tmp)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	requireGone(t, pids(filepath.Join(tmp, "pids")))
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Len(t, left, 1, "all but the file pids: %v", left)
}
