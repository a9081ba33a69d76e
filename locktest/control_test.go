package locktest_test

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/goroutine"
	"shmbench/internal/testkit/sample"
	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/shm/spin"
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

// A control is a lock that breaks a rule.
type control struct {
	rule string
	spec shm.Algorithm
}

// The known-bad lock of each rule. Only the rule is checked, as a lock that
// breaks it may break others.
var controls = []control{
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
	for _, c := range sample.Of(t, controls, func(c control) string { return c.rule + " " + c.spec.Name }, 4) {
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
	sample.NeedsAll(t)
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

// Every rule has a control.
func TestEveryRuleHasAControl(t *testing.T) {
	have := slices.Clone(exclusionRules)
	for _, c := range controls {
		have = append(have, c.rule)
	}
	require.Subset(t, have, locktest.Rules())
}
