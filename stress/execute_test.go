package stress_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/delegation"
	"shmbench/locks/numa"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/stress"
)

// TestExecute: right delegates make passages by Lock and Unlock and by Execute, and nothing
// is said of them.
func TestExecute(t *testing.T) {
	for _, a := range []shm.Algorithm{
		delegation.CCSynchMutex(), delegation.DSMSynchMutex(), delegation.FlatCombiningMutex(),
		numa.HSynchMutex{Nodes: numa.InTurn(2), Batch: delegation.Batch}.Spec(),
	} {
		t.Run(a.Name, func(t *testing.T) {
			executed, made, seed := uint64(0), uint64(0), uint64(6)
			deadline.Try(t, 0.1, func() bool { // a slow machine has few phases
				seed++
				r, err := stress.Test(t.Context(), a, stress.Options{Duration: 100 * time.Millisecond, Procs: []int{4}, Seed: seed})
				require.NoError(t, err)
				require.Nil(t, r.Found, text(r))
				executed += count(r, "of these, by Execute")
				made += r.Passages()
				return executed > 0 && executed < made
			})
		})
	}
}

// count returns how often an outcome was seen.
func count(r *stress.Report, name string) uint64 {
	for _, o := range r.Outcomes {
		if o.Name == name {
			return o.Count
		}
	}
	return 0
}

// delegating is an MCS lock with a delegate that is wrong.
type delegating struct {
	shm.Mutex
	execute func(lock shm.Mutex, i int, f func() uint64) uint64
}

func (l delegating) Delegate() shm.Delegate { return l }

func (l delegating) Execute(i int, f func() uint64) uint64 { return l.execute(l.Mutex, i, f) }

// TestWrongDelegates: requests that overlap, that are executed twice or never, and results
// of others are found.
func TestWrongDelegates(t *testing.T) {
	sample.NeedsAll(t)
	const requests = "request not executed once, or another's result"
	for name, c := range map[string]struct {
		execute func(lock shm.Mutex, i int, f func() uint64) uint64
		found   []string
		races   bool
	}{
		"overlapping": {func(_ shm.Mutex, _ int, f func() uint64) uint64 { return f() },
			[]string{"overlap: owner register", "overlap: plain words", "overlap: counts"}, true},
		"twice":    {func(l shm.Mutex, i int, f func() uint64) uint64 { l.Lock(i); defer l.Unlock(i); f(); return f() }, []string{requests}, false},
		"never":    {func(shm.Mutex, int, func() uint64) uint64 { return 0 }, []string{requests}, false},
		"mixed up": {func(l shm.Mutex, i int, f func() uint64) uint64 { l.Lock(i); defer l.Unlock(i); return f() + 1 }, []string{requests}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.races && race.Enabled {
				t.Skip("the race detector sees the violation first")
			}
			a := queue.MCS(shm.Packed, shm.Sequential)
			build := a.New
			a.New = func(n int) (shm.Mutex, error) {
				m, err := build(n)
				return delegating{m, c.execute}, err
			}
			seed := uint64(0)
			deadline.Try(t, 0.1, func() bool {
				seed++
				r, err := stress.Test(t.Context(), a, stress.Options{Duration: 100 * time.Millisecond, Procs: []int{4}, Seed: seed})
				require.NoError(t, err)
				if r.Found != nil {
					require.Contains(t, c.found, r.Found.Oracle, text(r))
				}
				return r.Found != nil
			})
		})
	}
}
