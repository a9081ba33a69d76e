package stress_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/baseline"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/spin"
	"shmbench/stress"
	"shmbench/tas"
)

// TestCatalogue: no correct lock is accused. It looks at some locks, and at all
// with -all; shmbench stress in .ci/run looks at the variants, too.
func TestCatalogue(t *testing.T) {
	sources := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return a.VariantOf != "" })
	for _, a := range sample.Of(t, sources, func(a shm.Algorithm) string { return a.Name }, 20) {
		t.Run(a.Name, func(t *testing.T) {
			for passages := uint64(0); passages == 0; { // on a busy machine there may be none in so short a time
				r, err := stress.Test(t.Context(), a, stress.Options{Duration: 50 * time.Millisecond})
				require.NoError(t, err)
				require.Nil(t, r.Found, text(r))
				passages = r.Passages()
			}
		})
	}
}

// TestRun: the door for tests, with more processes than most machines have
// processors, and one.
func TestRun(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	spin.Use(spin.Yielding)
	defer spin.Use(spin.PauseYield)
	defer func() {
		require.Equal(t, processors, runtime.GOMAXPROCS(0), "it is as it was")
		require.Equal(t, spin.Yielding, spin.InUse(), "it is as it was")
	}()
	stress.Run(t, tas.TTAS(shm.Sequential))
	for _, n := range []int{1, 16} {
		r, err := stress.Test(t.Context(), tas.TTAS(shm.Sequential), stress.Options{Procs: []int{n}, Duration: 50 * time.Millisecond})
		require.NoError(t, err)
		require.Nil(t, r.Found)
		require.Equal(t, []int{n}, r.Procs)
	}
}

func text(r *stress.Report) string {
	var b strings.Builder
	r.WriteText(&b)
	return b.String()
}

// made is a lock made of functions.
type made struct{ lock, unlock func(pid int) }

func (l made) Lock(pid int)   { l.lock(pid) }
func (l made) Unlock(pid int) { l.unlock(pid) }

// spec claims all for the lock that lock returns.
func spec(lock func() shm.Mutex) shm.Algorithm {
	return shm.Algorithm{
		Name: "broken/control", MinProcs: 1, MaxProcs: 16,
		Claims: shm.Claims{DeadlockFree: true, StarvationFree: true, FCFS: true, Bypass: shm.NMinus1},
		New:    func(n int) (shm.Mutex, error) { return lock(), nil },
	}
}

func newTAS() shm.Mutex {
	l, _ := tas.NewTAS(16, shm.Sequential)
	return l
}

// TestControls: each oracle finds the fault that it is for. A process that a
// lock lets wait forever ends when the test does, without having entered.
func TestControls(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	wait := func() {
		for !over.Load() {
			time.Sleep(time.Millisecond)
		}
		runtime.Goexit()
	}
	for _, c := range []struct {
		name     string
		lock     func() shm.Mutex
		oracles  []string
		deadline time.Duration // short where the lock hangs: no lock has an excuse for the usual one
	}{
		{"test-and-set that claims an order", newTAS, []string{"starved"}, 0},
		{"a process that never enters", func() shm.Mutex {
			m, _ := queue.NewTicket(16, shm.Packed, shm.Sequential) // keeps the order that the specification claims
			return made{func(pid int) {
				if pid == 0 {
					wait()
				}
				m.Lock(pid)
			}, m.Unlock}
		}, []string{"hung", "starved"}, 400 * time.Millisecond},
		{"an exit section that ends nothing", func() shm.Mutex {
			var busy atomic.Bool
			return made{func(int) {
				if busy.Swap(true) {
					wait()
				}
			}, func(int) {}}
		}, []string{"hung"}, 400 * time.Millisecond},
		{"a panic", func() shm.Mutex {
			return made{func(int) { panic("broken") }, func(int) {}}
		}, []string{"panicked"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if race.Enabled && c.oracles[0] == "starved" {
				t.Skip("under the race detector chance shows it too seldom")
			}
			r, err := stress.Test(t.Context(), spec(c.lock), stress.Options{
				Duration: deadline.Half(t), Deadline: c.deadline})
			require.NoError(t, err)
			require.NotNil(t, r.Found)
			require.Contains(t, c.oracles, r.Found.Oracle, text(r))
			require.NotZero(t, r.Count(stress.Forbidden))
			t.Log(text(r))
		})
	}
}

// plain is a lock without any atomicity: a plain word, tested and then set. It
// waits by spin.Until, or in a loop of its own that yields.
type plain struct {
	busy, yields bool
}

func (l *plain) Lock(int) {
	if l.yields {
		for l.busy {
			runtime.Gosched()
		}
	} else {
		spin.Until(func() bool { return !l.busy })
	}
	for range 100 { // about a critical section, so that a process that the system interrupts meets another one
		nothing()
	}
	l.busy = true
}

//go:noinline
func nothing() {}

func (l *plain) Unlock(int) { l.busy = false }

// TestWithoutAtomicity: what Run does finds a lock that tests and then sets,
// although its processes overlap only by chance.
func TestWithoutAtomicity(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector fails the program that it finds a race in; see TestUnsafe")
	}
	if runtime.NumCPU() == 1 {
		t.Skip("with one processor no two processes run at once")
	}
	for _, yields := range []bool{false, true} {
		t.Run(fmt.Sprintf("yields=%t", yields), func(t *testing.T) {
			a := spec(func() shm.Mutex { return &plain{yields: yields} })
			a.Claims = shm.Claims{} // exclusion alone can be found
			deadline.Try(t, 0.1, func() bool {
				r, err := stress.Test(t.Context(), a, stress.Options{})
				require.NoError(t, err)
				if r.Found != nil {
					require.Contains(t, r.Found.Oracle, "overlap", text(r))
				}
				return r.Found != nil
			})
		})
	}
}

// A correct lock is contended before the run ends, and the report says how often.
func TestContended(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("with one processor no two processes run at once")
	}
	deadline.Try(t, 0.1, func() bool {
		r, err := stress.Test(t.Context(), queue.Ticket(shm.Packed, shm.Sequential), stress.Options{Duration: time.Millisecond})
		require.NoError(t, err)
		require.Nil(t, r.Found, text(r))
		return r.Contended > 0
	})
}

// TestHungAsleep: where all wait for one another there is nothing to wait for
// until the deadline.
func TestHungAsleep(t *testing.T) {
	sample.NeedsAll(t)
	never := make(chan bool)
	r, err := stress.Test(t.Context(), spec(func() shm.Mutex {
		return made{func(int) { <-never }, func(int) {}}
	}), stress.Options{Procs: []int{2}, Deadline: 40 * time.Second})
	require.NoError(t, err)
	require.NotNil(t, r.Found)
	require.Contains(t, text(r), "no process moved for 3s, and all that take part wait")
}

// unsafeEnv marks the program in which TestUnsafe lets processes overlap,
// because the race detector fails the program in which it sees a race.
const unsafeEnv = "STRESS_UNSAFE"

// TestUnsafe: the null lock overlaps, and the race detector sees that too.
func TestUnsafe(t *testing.T) {
	if race.Enabled && os.Getenv(unsafeEnv) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestUnsafe$")
		child.Env = append(os.Environ(), unsafeEnv+"=1")
		out, err := child.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), "DATA RACE")
		return
	}
	r, err := stress.Test(t.Context(), baseline.Null, stress.Options{Duration: deadline.Half(t)})
	require.NoError(t, err)
	require.NotNil(t, r.Found)
	require.Contains(t, r.Found.Oracle, "overlap")
}

// TestCancelled: a canceled run ends, with what it has.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r, err := stress.Test(ctx, tas.TAS(shm.Sequential), stress.Options{Duration: time.Hour})
	require.NoError(t, err)
	require.Nil(t, r.Found)
	require.Less(t, r.Seconds, time.Hour.Seconds())
}

func TestBadOptions(t *testing.T) {
	for says, c := range map[string]struct {
		a shm.Algorithm
		o stress.Options
	}{
		"no New":      {shm.Algorithm{Name: "x/y"}, stress.Options{}},
		"n = 2000":    {tas.TAS(shm.Sequential), stress.Options{Procs: []int{2, 2000}}},
		"n = -1":      {tas.TAS(shm.Sequential), stress.Options{Procs: []int{-1}}},
		"be negative": {tas.TAS(shm.Sequential), stress.Options{Duration: -1}},
	} {
		_, err := stress.Test(t.Context(), c.a, c.o)
		require.ErrorContains(t, err, says)
	}
}
