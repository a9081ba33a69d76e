package region_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/machine/race"
	"shmbench/internal/run/isolate"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/region/regiontest"
	"shmbench/shm/spin"
)

// passages is a question to a child: to make passages of process ID in the lock of a region.
type passages struct {
	Path      string
	ID, Count int
}

// shared is what a test's processes count in, under the lock.
type shared struct {
	lock    shm.Mutex
	joined  atomic.Int32
	counter int // plain
}

// pass makes passages as process i, beside another process.
func (s *shared) pass(i, times int) {
	s.joined.Add(1)
	spin.Until(func() bool { return s.joined.Load() == 2 })
	for range times {
		s.lock.Lock(i)
		old := s.counter
		s.between()
		s.counter = old + 1
		s.lock.Unlock(i)
	}
}

// between makes the critical section longer than one instruction.
//
//go:noinline
func (s *shared) between() {}

func TestMain(m *testing.M) {
	isolate.Child(context.Background(), "passages", func(_ context.Context, q passages) (string, error) {
		runtime.GOMAXPROCS(1)
		r, err := region.Attach(q.Path)
		if err != nil {
			return "", err
		}
		s, err := region.Root[shared](r, 0)
		if err != nil {
			return "", err
		}
		s.pass(q.ID, q.Count)
		return spin.InUse().String(), r.Close()
	})
	os.Exit(m.Run())
}

// count lets two processes make passages in a lock, and returns what they counted and the
// policy with which they waited.
func count(t *testing.T, lock shm.Mutex, each int) (counted int, policy string) {
	t.Helper()
	r, err := region.New("", 1<<20)
	require.NoError(t, err)
	defer r.Close()
	defer spin.Among(0)
	defer spin.Use(spin.InUse())
	r.Wait(spin.OSYield, 2)
	s, err := region.Put(r, &shared{lock: lock})
	require.NoError(t, err)
	answers := make(chan error, 2)
	policies := make([]string, 2)
	for id := range 2 {
		go func() {
			var err error
			policies[id], err = isolate.Ask[passages, string](t.Context(), os.Args[0], "passages", passages{r.Path(), id, each})
			answers <- err
		}()
	}
	require.NoError(t, errors.Join(<-answers, <-answers))
	require.Equal(t, policies[0], policies[1])
	require.NoError(t, region.Verify(r, s))
	return s.counter, policies[0]
}

// TestProcesses: two processes of the operating system exclude one another by locks whose
// interface values the compiler has made, and by those that the Go runtime has made. Their
// waiting policy is that of the region.
func TestProcesses(t *testing.T) {
	regiontest.Need(t)
	const each = 2000
	for _, name := range []string{"peterson/peterson", "queue/mcs", "queue/clhstandard", "numa/cbomcs", "rw/bravo"} {
		t.Run(name, func(t *testing.T) {
			a, err := catalog.Get(name)
			require.NoError(t, err)
			if race.Enabled && a.Class == shm.ReadWrite {
				// In memory outside the Go heap, the race detector makes a store of sync/atomic
				// without a fence ($GOROOT/src/runtime/race_amd64.s, racecallatomic_ignore). Of
				// 300,000 pairs of a store and a load there, 1 to 3 % read both old values on an
				// Intel Xeon; in the heap, and without the detector, none did.
				t.Skip("a lock of reads and writes needs fences that the race detector leaves out in a region")
			}
			lock, err := a.New(2)
			require.NoError(t, err)
			counted, policy := count(t, lock, each)
			require.Equal(t, 2*each, counted)
			require.Equal(t, "os-yield", policy)
		})
	}
}

// none lets every process in.
type none struct{}

func (none) Lock(int)   {}
func (none) Unlock(int) {}

// TestProcessesWithoutALock: without a lock, the two processes lose counts, which shows that
// they share the counter and run at the same time.
func TestProcessesWithoutALock(t *testing.T) {
	regiontest.Need(t)
	for range 50 {
		if counted, _ := count(t, none{}, 1_000_000); counted < 2_000_000 {
			return
		}
	}
	t.Fatal("no count was lost")
}

// TestPosition: a region has one place in a process; a second region is an error.
func TestPosition(t *testing.T) {
	r := newRegion(t, region.MinSize)
	_, err := region.New("", region.MinSize)
	require.ErrorContains(t, err, "is in use in this process: a program has one region at a time")
	_, err = region.Attach(r.Path())
	require.ErrorContains(t, err, "is in use in this process")
}

// TestErrors: each kind of file that is no region of this program is refused with its reason.
func TestErrors(t *testing.T) {
	regiontest.Need(t)
	path := filepath.Join(t.TempDir(), "region")
	_, err := region.New(path, 100)
	require.ErrorContains(t, err, fmt.Sprintf("a size of 100 bytes: the size must be at least %d", region.MinSize))
	r, err := region.New(path, region.MinSize)
	require.NoError(t, err)
	_, err = region.New(path, region.MinSize)
	require.ErrorIs(t, err, os.ErrExist)
	_, err = region.Put(r, new([1 << 20]byte))
	require.ErrorContains(t, err, "the object needs 1048576 bytes, and 4096 of 8192 are left")
	_, err = region.Put(r, new(int))
	require.NoError(t, err)
	_, err = region.Root[int](r, 1)
	require.ErrorContains(t, err, "has no object 1: it has 1")
	_, err = region.Root[string](r, 0)
	require.ErrorContains(t, err, "object 0 is not a string")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoFileExists(t, path)

	for says, change := range map[string]func([]byte) []byte{
		"the file is no region": func(b []byte) []byte { b[0]++; return b },
		"the region has format 2, and this program reads format 1": func(b []byte) []byte { b[8]++; return b },
		"another program made the region":                          func(b []byte) []byte { b[24]++; return b },
		"the file has 8191 bytes, and its header says 8192":        func(b []byte) []byte { return b[:8191] },
	} {
		require.NoError(t, os.WriteFile(path, change(append([]byte{}, whole...)), 0o600))
		_, err := region.Attach(path)
		require.ErrorContains(t, err, path+": "+says)
	}
	require.NoError(t, os.WriteFile(path, []byte("short"), 0o600))
	_, err = region.Attach(path)
	require.ErrorContains(t, err, "the file is no region")
	_, err = region.Attach(path + "none")
	require.ErrorIs(t, err, os.ErrNotExist)
	if os.Geteuid() != 0 {
		require.NoError(t, os.Chmod(path, 0))
		_, err = region.Attach(path)
		require.ErrorIs(t, err, os.ErrPermission)
	}
}

// TestTruncated: an access to a page that the file has lost is an error that names the file,
// and other panics pass.
func TestTruncated(t *testing.T) {
	regiontest.Need(t)
	path := filepath.Join(t.TempDir(), "region")
	r, err := region.New(path, 1<<20)
	require.NoError(t, err)
	defer r.Close()
	type pages [64][4096]byte
	object, err := region.Put(r, new(pages))
	require.NoError(t, err)
	require.NoError(t, r.Guard(func() { object[60][0]++ }))
	require.PanicsWithValue(t, "other", func() { r.Guard(func() { panic("other") }) })
	require.NoError(t, os.Truncate(path, 1<<16))
	err = r.Guard(func() { object[60][0]++ })
	fault := new(region.FaultError)
	require.ErrorAs(t, err, &fault)
	require.EqualError(t, err, fmt.Sprintf("region: %s: byte %d cannot be read or written: the file has been truncated while it was mapped", path, 4096+60*4096))
}

// TestAnotherBuild: a program that is not the one that made a region does not attach to it,
// and a position-independent one has no region.
func TestAnotherBuild(t *testing.T) {
	sample.NeedsAll(t)
	r := newRegion(t, region.MinSize)
	dir := t.TempDir()
	for mode, says := range map[string]string{"exe": "another program made the region", "pie": "position-independent executable"} {
		program := filepath.Join(dir, mode)
		build := exec.Command("go", "build", "-buildmode="+mode, "-o", program, "./testdata/attach")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		out, err = exec.Command(program, r.Path()).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), says)
	}
}
