package locktest_test

import (
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/deadline"
	"shmbench/locks/baseline"
	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// plain is a lock without any atomicity: a plain word, tested and then set.
type plain struct{ busy bool }

// set sets the word, after about the time of a critical section. So a process that the operating
// system interrupts meets another one, also where the machine is too busy to run both at once.
func (l *plain) set() {
	for range 100 {
		nothing()
	}
	l.busy = true
}

//go:noinline
func nothing() {}

func (l *plain) Unlock(int) { l.busy = false }

// plainUntil, plainYield and plainPoll are plain locks that wait by spin.Until,
// in a loop of their own that yields, and in one that does not.
type (
	plainUntil struct{ plain }
	plainYield struct{ plain }
	plainPoll  struct{ plain }
)

func (l *plainUntil) Lock(int) {
	spin.Until(func() bool { return !l.busy })
	l.set()
}

func (l *plainYield) Lock(int) {
	for l.busy {
		runtime.Gosched()
	}
	l.set()
}

func (l *plainPoll) Lock(int) {
	//lint:ignore SA5002 the poll of a plain variable is what the test is about
	for l.busy {
	}
	l.set()
}

// atomicPlain is test and then set of an atomic word: without exclusion, and
// without a data race on the lock's own memory.
type atomicPlain struct{ busy atomic.Bool }

func (l *atomicPlain) Lock(int) {
	spin.Until(func() bool { return !l.busy.Load() })
	for range 100 {
		nothing()
	}
	l.busy.Store(true)
}

func (l *atomicPlain) Unlock(int) { l.busy.Store(false) }

// TestWithoutAtomicity: a lock that tests and then sets is found, although its
// processes overlap only by chance. All of 280 tries found it at load 15 on two processors, and one
// of four with a five-hundredth of their time.
func TestWithoutAtomicity(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector fails the program that it finds a race in; see TestUnsafe")
	}
	if runtime.NumCPU() == 1 {
		t.Skip("with one processor no two processes run at once")
	}
	for name, lock := range map[string]func(int) shm.Mutex{
		"spin.Until": func(int) shm.Mutex { return new(plainUntil) },
		"yields":     func(int) shm.Mutex { return new(plainYield) },
		"polls":      func(int) shm.Mutex { return new(plainPoll) },
		"atomic":     func(int) shm.Mutex { return new(atomicPlain) },
	} {
		t.Run(name, func(t *testing.T) {
			rule := "exclusion under contention"
			deadline.Try(t, 0.1, func() bool {
				err := locktest.Verify(t.Context(), spec(shm.Claims{}, lock), locktest.Options{Rules: []string{rule}})
				if err != nil {
					require.ErrorContains(t, err, rule)
				}
				return err != nil
			})
		})
	}
}

// exclusionRules are the rules that a lock without exclusion breaks.
var exclusionRules = []string{
	"exclusion", "exclusion with GOMAXPROCS=1", "exclusion with more goroutines than processors",
	"exclusion under contention", "exclusion in all modes",
}

// unsafeSpec is the null lock, with a try that always succeeds.
func unsafeSpec() shm.Algorithm {
	a := baseline.Null
	a.New = func(n int) (shm.Mutex, error) {
		m, err := baseline.Null.New(n)
		return trying{m, func(int) bool { return true }}, err
	}
	return a
}

// unsafeEnv names the rule that TestUnsafe is to check in a program of its
// own, because the race detector fails the program in which it sees a race.
const unsafeEnv = "LOCKTEST_UNSAFE_RULE"

// TestUnsafe: locks that do not exclude break the rules about exclusion, and
// under the race detector show as a race.
func TestUnsafe(t *testing.T) {
	if rule := os.Getenv(unsafeEnv); rule != "" {
		require.Error(t, locktest.Verify(t.Context(), unsafeSpec(), locktest.Options{Rules: []string{rule}}))
		return
	}
	for _, rule := range exclusionRules {
		t.Run(rule, func(t *testing.T) {
			if !race.Enabled {
				err := locktest.Verify(t.Context(), unsafeSpec(), locktest.Options{Rules: []string{rule}})
				var f *locktest.Failure
				require.ErrorAs(t, err, &f)
				require.Equal(t, rule, f.Rule)
				return
			}
			child := exec.Command(os.Args[0], "-test.run=^TestUnsafe$")
			child.Env = append(os.Environ(), unsafeEnv+"="+rule)
			out, err := child.CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out), "DATA RACE")
		})
	}
}
