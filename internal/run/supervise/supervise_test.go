//go:build unix

package supervise_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/scratch"
	"shmbench/internal/cli"
	"shmbench/internal/run/filelock"
	"shmbench/internal/run/isolate"
	"shmbench/internal/run/supervise"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/region/regiontest"
	"shmbench/shm/spin"
)

// task is what a child of these tests does.
type task string

const (
	count task = "count" // makes its passages, and answers with the processors that Go uses
	stay  task = "stay"  // enters once, and never leaves
	fail  task = "fail"
)

// each is how many passages a child makes.
const each = 5000

// common is what the children share.
type common struct {
	lock     *queue.MCSMutex
	progress Progress
	count    int // plain
	pids     [4]atomic.Int64
}

func newCommon(t *testing.T, n int) *common {
	t.Helper()
	lock, err := queue.NewMCS(n, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	return &common{lock: lock, progress: NewProgress(n)}
}

// do is what a child does.
func do(_ context.Context, c supervise.Child, q task) (int, error) {
	s, err := region.Root[common](c.Region, 0)
	if err != nil {
		return 0, err
	}
	if q == fail {
		return 0, errors.New("the child fails")
	}
	s.pids[c.Number].Store(int64(os.Getpid()))
	for range each {
		s.progress.Move(c.Number)
		s.lock.Lock(c.Number)
		s.progress.Move(c.Number)
		s.count++
		if q == stay {
			spin.Until(func() bool { return false })
		}
		s.progress.Move(c.Number)
		s.lock.Unlock(c.Number)
		s.progress.Move(c.Number)
	}
	return runtime.GOMAXPROCS(0), nil
}

// asks is the environment variable that makes this program a supervisor, which ends in the
// way that its value names. When a child is in its critical section the program prints the path of
// the region.
const asks = "SUPERVISE_TEST"

func TestMain(m *testing.M) {
	supervise.Serve(context.Background(), "task", do)
	if end, ok := os.LookupEnv(asks); ok {
		os.Unsetenv(asks)
		supervisor(cli.Interruptible(), end)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func supervisor(ctx context.Context, end string) {
	defer func() {
		if v := recover(); v != nil {
			os.Exit(7)
		}
	}()
	shared, err := supervise.Create(1 << 20)
	must(err)
	defer shared.Close()
	lock, err := queue.NewMCS(4, shm.Packed, shm.Sequential)
	must(err)
	s, err := region.Put(shared.Region, &common{lock: lock, progress: NewProgress(4)})
	must(err)
	shared.Wait(spin.OSYield, 4)
	crew := supervise.New[task, int](ctx, shared.Region, "task", 4, nil)
	defer crew.Stop()
	must(crew.Start(0, stay))
	for s.progress.Moves(0) < Critical {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(shared.Path(), s.pids[0].Load())
	switch end {
	case "return":
		return
	case "exit":
		cli.Exit(0)
	case "panic":
		panic("the supervisor fails")
	}
	if crew.Wait(time.Hour, nil) != nil {
		crew.Stop()
		cli.Exit(cli.Undecided)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// crew makes a region with what n children share, and their supervisor, which end with the test.
func crew(t *testing.T, n int, died func(*supervise.Supervisor[task, int], supervise.End[int])) (*supervise.Supervisor[task, int], *common) {
	t.Helper()
	regiontest.Need(t)
	r, err := region.New("", 1<<20)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	s, err := region.Put(r, newCommon(t, n))
	require.NoError(t, err)
	policy := spin.InUse()
	r.Wait(spin.OSYield, n)
	t.Cleanup(func() { spin.Use(policy); spin.Among(0) })
	sup := supervise.New[task, int](t.Context(), r, "task", n, died)
	t.Cleanup(sup.Stop)
	return sup, s
}

// TestChildren: children exclude one another, answer, and end; each has one processor for Go.
func TestChildren(t *testing.T) {
	ends := make(chan supervise.End[int], 3)
	sup, s := crew(t, 3, func(_ *supervise.Supervisor[task, int], e supervise.End[int]) { ends <- e })
	for i := range 3 {
		require.NoError(t, sup.Start(i, count))
	}
	require.NoError(t, sup.Wait(time.Second, nil))
	require.Equal(t, 3*each, s.count)
	for range 3 {
		e := <-ends
		require.NoError(t, e.Err)
		require.Equal(t, 1, *e.Answer)
		require.False(t, e.Killed)
		require.Equal(t, uint64(each), s.progress.Entered(e.Number))
	}
	require.ErrorContains(t, sup.Start(3, count), "child 3: the numbers are 0 to 2")
	require.EqualError(t, sup.Kill(0), "child 0 does not run")
}

// TestFails: the error of a child is that of its end.
func TestFails(t *testing.T) {
	ends := make(chan supervise.End[int], 1)
	sup, _ := crew(t, 1, func(_ *supervise.Supervisor[task, int], e supervise.End[int]) { ends <- e })
	require.NoError(t, sup.Start(0, fail))
	require.EqualError(t, (<-ends).Err, "the child fails")
}

// TestKill: a killed child is reaped before its number is free, and starts again under its
// number.
func TestKill(t *testing.T) {
	type seen struct {
		end    supervise.End[int]
		gone   error // of a signal to the process
		again  error // of the next Start
		second error // of a Start after that
	}
	deaths := make(chan seen, 2)
	sup, s := crew(t, 2, func(sup *supervise.Supervisor[task, int], e supervise.End[int]) {
		d := seen{end: e, gone: syscall.Kill(e.PID, 0)}
		if e.Life == 0 {
			d.again = sup.Start(e.Number, fail)
			d.second = sup.Start(e.Number, fail)
		}
		deaths <- d
	})
	require.NoError(t, sup.Start(1, stay))
	require.Regexp(t, `^child 1 still runs, as process \d+: its number is free when it has been reaped$`, sup.Start(1, stay))
	require.NoError(t, sup.Wait(time.Millisecond, func() error {
		if s.progress.Moves(1) == Critical && sup.Runs(1) {
			sup.Kill(1)
			s.progress.Rest(1)
		}
		return nil
	}))
	first, second := <-deaths, <-deaths
	require.True(t, first.end.Killed)
	require.Equal(t, s.pids[1].Load(), int64(first.end.PID))
	require.ErrorIs(t, first.gone, syscall.ESRCH)
	require.NoError(t, first.again)
	require.ErrorContains(t, first.second, "still runs")
	require.Equal(t, 1, second.end.Life)
	require.False(t, second.end.Killed)
	require.EqualError(t, second.end.Err, "the child fails")
	require.Equal(t, uint64(Sections), s.progress.Moves(1), "rests after one critical section")
	require.False(t, sup.Runs(1))
}

// TestHangs: children that do not move are noticed and killed.
func TestHangs(t *testing.T) {
	sup, s := crew(t, 2, nil)
	require.NoError(t, sup.Start(0, stay))
	for s.progress.Moves(0) < Critical {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, sup.Start(1, count))
	for s.progress.Moves(1) < Entry {
		time.Sleep(time.Millisecond)
	}
	s.progress.Move(0) // into the exit section, as far as the watchdog sees
	dog := s.progress.Watchdog(100*time.Millisecond, sup.Runs)
	hangs := errors.New("no child moves")
	require.ErrorIs(t, sup.Wait(dog.Interval(), func() error {
		if dog.Tick(); dog.Hung() {
			return hangs
		}
		return nil
	}), hangs)
	require.False(t, sup.Runs(0) || sup.Runs(1))
	require.EqualError(t, sup.Start(0, count), "the supervisor has stopped")
}

// TestOrphan: a child whose parent is not its supervisor does not begin.
func TestOrphan(t *testing.T) {
	regiontest.Need(t)
	_, err := isolate.Ask[map[string]any, int](t.Context(), os.Args[0], "task", map[string]any{"Parent": 1})
	require.EqualError(t, err, "the supervisor has ended")
}

// supervisorOf starts this program as a supervisor that ends in a way, and returns the path of
// its region and the process of its child.
func supervisorOf(t *testing.T, end string) (cmd *exec.Cmd, path string, child int) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asks+"="+end)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = fmt.Fscan(out, &path, &child)
	require.NoError(t, err)
	go io.Copy(io.Discard, out)
	return cmd, path, child
}

// gone waits until a process has ended. Its parent may not have reaped it.
func gone(t *testing.T, pid int) {
	t.Helper()
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestEnds: however a supervisor ends, its child ends, and nothing is left in /dev/shm.
func TestEnds(t *testing.T) {
	regiontest.Need(t)
	for end, signal := range map[string]os.Signal{"return": nil, "exit": nil, "panic": nil, "interrupt": os.Interrupt, "terminate": syscall.SIGTERM} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			cmd, path, child := supervisorOf(t, end)
			if signal != nil {
				require.NoError(t, cmd.Process.Signal(signal))
			}
			cmd.Wait()
			gone(t, child)
			require.NoDirExists(t, filepath.Dir(path))
		})
	}
}

// TestAdopt: after SIGKILL the child of a supervisor ends, its region stays, and a new
// supervisor continues with it, which alone may.
func TestAdopt(t *testing.T) {
	regiontest.Need(t)
	cmd, path, child := supervisorOf(t, "killed")
	_, err := supervise.Adopt(path)
	require.ErrorContains(t, err, "another program has the lock of the file")
	require.FileExists(t, path)
	require.NoError(t, syscall.Kill(child, syscall.SIGSTOP)) // it cannot notice the death by itself
	require.NoError(t, cmd.Process.Kill())
	cmd.Wait()
	gone(t, child)
	shared, err := supervise.Adopt(path)
	require.NoError(t, err)
	s, err := region.Root[common](shared.Region, 0)
	require.NoError(t, err)
	require.Equal(t, 1, s.count)
	sup := supervise.New[task, int](t.Context(), shared.Region, "task", 4, nil)
	require.NoError(t, sup.Start(1, count))
	for s.progress.Moves(1) != Entry { // it waits for the dead process
		time.Sleep(time.Millisecond)
	}
	sup.Stop()
	require.NoError(t, shared.Close())
	require.NoDirExists(t, filepath.Dir(path))
	spin.Use(spin.PauseYield)
	spin.Among(0)
}

// TestStale: Create removes old folders of regions that no program uses, and leaves others.
func TestStale(t *testing.T) {
	regiontest.Need(t)
	folder := func(name string, age time.Duration) (dir string, file *os.File) {
		dir, remove, err := scratch.Folder("/dev/shm", name)
		require.NoError(t, err)
		t.Cleanup(remove)
		file, err = os.Create(filepath.Join(dir, "region"))
		require.NoError(t, err)
		t.Cleanup(func() { file.Close() })
		at := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(dir, at, at))
		return dir, file
	}
	stale, _ := folder("shmbench-region-", time.Hour)
	young, _ := folder("shmbench-region-", time.Minute)
	other, _ := folder("shmbench-other-", time.Hour)
	used, file := folder("shmbench-region-", time.Hour)
	require.NoError(t, filelock.Try(file))
	shared, err := supervise.Create(region.MinSize)
	require.NoError(t, err)
	require.NoDirExists(t, stale)
	require.DirExists(t, young)
	require.DirExists(t, other)
	require.DirExists(t, used)
	require.NoError(t, shared.Close())
}
