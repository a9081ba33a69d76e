package locktest_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/baseline"
	"shmbench/internal/goroutine"
	"shmbench/internal/race"
	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/spin"
	"shmbench/tas"
)

// broken is a lock for up to 16 processes made of functions, with all claims.
type broken struct{ lock, unlock func(pid int) }

func (l broken) Lock(pid int)   { l.lock(pid) }
func (l broken) Unlock(pid int) { l.unlock(pid) }

func spec(claims shm.Claims, lock func(n int) shm.Mutex) shm.Algorithm {
	return shm.Algorithm{
		Name: "broken/control", MinProcs: 1, MaxProcs: 16, Claims: claims,
		New: func(n int) (shm.Mutex, error) {
			return lock(n), shm.CheckProcs("broken/control", n, 1, 16)
		},
	}
}

var fair = shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, FCFS: true}

// trying is a lock that is tried as told.
type trying struct {
	shm.Mutex
	try func(int) bool
}

func (t trying) TryLock(pid int) bool { return t.try(pid) }

// reading is a lock whose readers do as told.
type reading struct {
	shm.Mutex
	lock, unlock func(int)
}

func (r reading) RLock(pid int)   { r.lock(pid) }
func (r reading) RUnlock(pid int) { r.unlock(pid) }

func newTAS(n int) shm.Mutex {
	l, _ := tas.NewTAS(n, shm.Sequential)
	return l
}

// The known-bad lock of each rule. Only the rule is checked, as a lock that
// breaks it may break others.
var controls = []struct {
	rule string
	spec shm.Algorithm
}{
	{"specification agrees with itself", spec(shm.Claims{StarvationFree: true}, newTAS)},
	{"specification agrees with itself", spec(shm.Claims{DeadlockFree: true, StarvationFree: true, FCFS: true, Bypass: shm.N}, newTAS)},
	{"specification agrees with itself", spec(shm.Claims{DeadlockFree: true, FCFS: true, Bypass: shm.NMinus1}, newTAS)},
	{"specification agrees with itself", shm.Algorithm{Name: "broken/two", MinProcs: 2, MaxProcs: 2, New: func(int) (shm.Mutex, error) { return newTAS(2), nil },
		Claims: shm.Claims{DeadlockFree: true, StarvationFree: true, FCFS: true, Bypass: shm.N}}},
	{"New refuses a wrong n", shm.Algorithm{Name: "broken/any-n", MinProcs: 1, MaxProcs: 2,
		New: func(n int) (shm.Mutex, error) { return newTAS(1), nil }}},
	{"New refuses a wrong n", shm.Algorithm{Name: "broken/wrong-range", MinProcs: 1, MaxProcs: 2,
		New: func(n int) (shm.Mutex, error) { return newTAS(1), shm.CheckProcs("broken/wrong-range", n, 1, 3) }}},
	{"New refuses a wrong n", shm.Algorithm{Name: "broken/panics", MinProcs: 1, MaxProcs: 2,
		New: func(n int) (shm.Mutex, error) { return make([]shm.Mutex, n+1)[0], nil }}},
	{"New refuses a wrong n", shm.Algorithm{Name: "broken/too-many", MinProcs: 1, MaxProcs: 2,
		New: func(n int) (shm.Mutex, error) { return newTAS(1), shm.CheckProcs("broken/too-many", min(n, 2), 1, 2) }}},
	{"misuse panics under shm.Checked", spec(fair, func(n int) shm.Mutex {
		// It panics itself, with its own message, before Checked is asked.
		entered := false
		return broken{func(int) {
			if entered {
				panic("second use")
			}
			entered = true
		}, func(int) {}}
	})},
	{"sequential reuse", spec(fair, func(n int) shm.Mutex {
		// Only the goroutine that locked may unlock.
		m, last := newTAS(n), 0
		return broken{
			func(pid int) { m.Lock(pid); last = goroutine.ID() },
			func(pid int) {
				if goroutine.ID() != last {
					panic("unlocked by another goroutine")
				}
				m.Unlock(pid)
			},
		}
	})},
	{"entries that fail leave no trace", spec(fair, func(n int) shm.Mutex {
		return trying{newTAS(n), func(int) bool { return true }}
	})},
	{"entries that fail leave no trace", spec(fair, func(n int) shm.Mutex {
		return trying{newTAS(n), func(int) bool { return false }}
	})},
	{"entries that fail leave no trace", spec(fair, func(int) shm.Mutex {
		// The ticket of a try that fails is never served.
		var next, serving atomic.Uint32
		return trying{broken{
			func(int) { ticket := next.Add(1) - 1; spin.Until(func() bool { return serving.Load() == ticket }) },
			func(int) { serving.Add(1) },
		}, func(int) bool { return next.Add(1)-1 == serving.Load() }}
	})},
	{"readers enter together", spec(shm.Claims{Mixed: shm.Mixed{Concurrent: true}}, func(n int) shm.Mutex {
		m := newTAS(n) // it is for one reader at a time
		return reading{m, m.Lock, m.Unlock}
	})},
	{"first-come-first-served", spec(fair, newTAS)},
	{"first-come-first-served", spec(fair, func(n int) shm.Mutex { return byHand(n) })},
	{"bypass bound", spec(fair, newTAS)},
	{"bypass bound", overtakenTwice},
	{"no process starves", spec(fair, func(n int) shm.Mutex {
		// Process 0 enters only after the last process has gone for good,
		// which it never does.
		m := newTAS(n)
		return broken{func(pid int) {
			if pid == 0 {
				spin.Until(func() bool { return n == 1 })
			}
			m.Lock(pid)
		}, m.Unlock}
	})},
}

// overtakenTwice is a lock of two processes that claims that no process is overtaken
// more than once: a process that finds it busy lets the other enter twice.
var overtakenTwice = shm.Algorithm{
	Name: "broken/overtaken-twice", MinProcs: 1, MaxProcs: 2,
	Claims: shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.Const(1)},
	New: func(n int) (shm.Mutex, error) {
		var busy atomic.Bool
		var entries atomic.Uint32
		return broken{
			func(int) {
				if busy.Swap(true) {
					found := entries.Load()
					spin.Until(func() bool { return entries.Load() >= found+2 && !busy.Swap(true) })
				}
				entries.Add(1)
			},
			func(int) { busy.Store(false) },
		}, shm.CheckProcs("broken/overtaken-twice", n, 1, 2)
	},
}

func TestControls(t *testing.T) {
	for _, c := range controls {
		t.Run(c.rule, func(t *testing.T) {
			err := locktest.Verify(t.Context(), c.spec, locktest.Options{Rules: []string{c.rule}, Deadline: time.Second})
			require.Error(t, err)
			var f *locktest.Failure
			require.ErrorAs(t, err, &f)
			require.Equal(t, c.rule, f.Rule)
		})
	}
}

// byHand is test-and-set with a polling loop of its own, which the suite cannot
// see as a wait.
func byHand(n int) shm.Mutex {
	var busy atomic.Bool
	return broken{
		func(int) {
			for busy.Swap(true) {
				runtime.Gosched()
			}
		},
		func(int) { busy.Store(false) },
	}
}

// ticketByHand is the ticket lock with a polling loop of its own, with a
// yield in it or without.
func ticketByHand(yield bool) shm.Algorithm {
	return spec(fair, func(int) shm.Mutex {
		var next, serving atomic.Uint32
		return broken{
			func(int) {
				for ticket := next.Add(1) - 1; serving.Load() != ticket; {
					if yield {
						runtime.Gosched()
					}
				}
			},
			func(int) { serving.Add(1) },
		}
	})
}

// TestByHand: a fair lock is not accused because its waiting cannot be seen.
func TestByHand(t *testing.T) {
	locktest.Run(t, ticketByHand(true))
	require.NoError(t, locktest.Verify(t.Context(), ticketByHand(false),
		locktest.Options{Rules: []string{"first-come-first-served", "bypass bound"}, Trials: 1}))
}

// TestAsleep: neither is one whose processes sleep while they wait.
func TestAsleep(t *testing.T) {
	locktest.Run(t, spec(fair, func(n int) shm.Mutex {
		var mu sync.Mutex
		var queue []chan struct{}
		return broken{
			func(int) {
				turn := make(chan struct{}, 1)
				mu.Lock()
				queue = append(queue, turn)
				if len(queue) == 1 {
					turn <- struct{}{}
				}
				mu.Unlock()
				<-turn
			},
			func(int) {
				mu.Lock()
				defer mu.Unlock()
				if queue = queue[1:]; len(queue) > 0 {
					queue[0] <- struct{}{}
				}
			},
		}
	}))
}

// plain is a lock without any atomicity: a plain word, tested and then set.
type plain struct{ busy bool }

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
	l.busy = true
}

func (l *plainYield) Lock(int) {
	for l.busy {
		runtime.Gosched()
	}
	l.busy = true
}

func (l *plainPoll) Lock(int) {
	//lint:ignore SA5002 the poll of a plain variable is what the test is about
	for l.busy {
	}
	l.busy = true
}

// atomicPlain is test and then set of an atomic word: without exclusion, and
// without a data race on the lock's own memory.
type atomicPlain struct{ busy atomic.Bool }

func (l *atomicPlain) Lock(int) {
	spin.Until(func() bool { return !l.busy.Load() })
	l.busy.Store(true)
}

func (l *atomicPlain) Unlock(int) { l.busy.Store(false) }

// TestWithoutAtomicity: a lock that tests and then sets is found, although its
// processes overlap only where they run at once.
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
			require.ErrorContains(t, locktest.Verify(t.Context(), spec(shm.Claims{}, lock), locktest.Options{Rules: []string{rule}}), rule)
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

// TestHung: a lock that hangs does not hang the suite; the report says who
// waits where, and the rest of the rules is skipped.
func TestHung(t *testing.T) {
	hangs := spec(fair, func(n int) shm.Mutex {
		var gone atomic.Bool
		return broken{func(pid int) { spin.Until(func() bool { return pid != n-1 || gone.Load() }) }, func(int) {}}
	})
	err := locktest.Verify(t.Context(), hangs, locktest.Options{
		Rules: []string{"sequential reuse", "exclusion"}, Deadline: 200 * time.Millisecond})
	require.ErrorContains(t, err, "hung: no process moved for 200ms")
	require.ErrorContains(t, err, "control_test.go:")
	require.NotContains(t, err.Error(), "exclusion")
}

// TestBadOptions: wrong options are named, and nothing is run.
func TestBadOptions(t *testing.T) {
	good := spec(fair, newTAS)
	for _, c := range []struct {
		spec shm.Algorithm
		o    locktest.Options
		says string
	}{
		{good, locktest.Options{Rules: []string{"mutual"}}, `no rule "mutual"`},
		{good, locktest.Options{Procs: []int{17}}, "n = 17"},
		{good, locktest.Options{Passages: -1}, "negative"},
		{shm.Algorithm{Name: "x/y", MinProcs: 1, MaxProcs: 1}, locktest.Options{}, "no New"},
		{shm.Algorithm{Name: "x/y", New: good.New}, locktest.Options{}, "0 to 0"},
	} {
		require.ErrorContains(t, locktest.Verify(t.Context(), c.spec, c.o), c.says)
	}
}

// TestCancelled: a cancelled context ends the check with its error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, locktest.Verify(ctx, tas.TAS(shm.Sequential), locktest.Options{}), context.Canceled)
}

// The rules that are about processors run on those that they name, and leave
// them as they were.
func TestRulesRunOnTheProcessorsTheyName(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for rule, most := range map[string]int{
		"exclusion": 3, "exclusion with GOMAXPROCS=1": 1, "exclusion with more goroutines than processors": 2,
	} {
		var seen [4]atomic.Bool
		noting := spec(fair, func(n int) shm.Mutex {
			m := newTAS(n)
			return broken{func(pid int) { seen[runtime.GOMAXPROCS(0)].Store(true); m.Lock(pid) }, m.Unlock}
		})
		require.NoError(t, locktest.Verify(t.Context(), noting, locktest.Options{Rules: []string{rule}, Procs: []int{2}, Passages: 20}))
		for procs := range seen {
			require.Equal(t, procs == most, seen[procs].Load(), "%s: GOMAXPROCS=%d", rule, procs)
		}
		require.Equal(t, 3, runtime.GOMAXPROCS(0))
	}
}

// A process whose waiting cannot be seen gets its turns on the only processor,
// as elsewhere it might not run before the others enter.
func TestUnseenWaitingHasTheOnlyProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var alone atomic.Bool
	fifo := spec(fair, func(int) shm.Mutex {
		var next, serving atomic.Uint32
		return broken{
			func(int) {
				for ticket := next.Add(1) - 1; serving.Load() != ticket; runtime.Gosched() {
					if runtime.GOMAXPROCS(0) == 1 {
						alone.Store(true)
					}
				}
			},
			func(int) { serving.Add(1) },
		}
	})
	require.NoError(t, locktest.Verify(t.Context(), fifo, locktest.Options{Rules: []string{"first-come-first-served"}, Trials: 1}))
	require.True(t, alone.Load())
	require.Equal(t, 2, runtime.GOMAXPROCS(0))
}

// Every rule has a control.
func TestEveryRuleHasAControl(t *testing.T) {
	have := slices.Clone(exclusionRules)
	for _, c := range controls {
		have = append(have, c.rule)
	}
	require.Subset(t, have, locktest.Rules())
}
