package stress_test

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/machine/race"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/queue"
	"shmbench/locks/rw"
	"shmbench/shm"
	"shmbench/shm/spin"
	"shmbench/stress"
	"shmbench/tas"
)

// modal is a specification of a lock that claims that no process starves in any mode.
func modal(lock func() shm.Mutex) shm.Algorithm {
	a := spec(lock)
	a.Claims = shm.Claims{DeadlockFree: true, Mixed: shm.Mixed{
		DeadlockFree: true, Writers: shm.Patient{StarvationFree: true}, Readers: shm.Patient{StarvationFree: true}}}
	return a
}

// TestModes: of right locks nothing is said, but that some have had readers, several
// at once, and that of others entries failed.
func TestModes(t *testing.T) {
	ttas, together := tas.TTAS(shm.Sequential), uint64(0)
	for _, a := range []shm.Algorithm{
		rw.ReaderPref, rw.WriterPref(shm.Packed, shm.Sequential), rw.TaskFair(shm.Packed), rw.PhaseFair(shm.Packed, shm.Sequential),
		ttas, queue.MCS(shm.Packed, shm.Sequential),
	} {
		t.Run(a.Name, func(t *testing.T) {
			reading := len(a.Modes()) == 2 && a.Modes()[1] == shm.Shared
			wanted, other := "entries that failed or were given up", "of these, readers'"
			if reading {
				wanted, other = other, wanted
			}
			count, seed := make(map[string]uint64), uint64(6)
			deadline.Try(t, 0.1, func() bool { // a slow machine has few phases
				seed++
				r, err := stress.Test(t.Context(), a, stress.Options{Duration: 100 * time.Millisecond, Procs: []int{4}, Seed: seed})
				require.NoError(t, err)
				require.Nil(t, r.Found, text(r))
				for _, o := range r.Outcomes {
					count[o.Name] += o.Count
				}
				return count[wanted] > 0
			})
			require.Zero(t, count[other])
			together += count["looks that saw several readers inside"]
		})
	}
	seed := uint64(29)
	deadline.Try(t, 0.1, func() bool { // a look seldom meets readers on a busy machine
		if together > 0 {
			return true
		}
		seed++
		r, err := stress.Test(t.Context(), rw.ReaderPref, stress.Options{Duration: 100 * time.Millisecond, Procs: []int{4}, Seed: seed})
		require.NoError(t, err)
		for _, o := range r.Outcomes {
			if o.Name == "looks that saw several readers inside" {
				together = o.Count
			}
		}
		return together > 0
	})
}

// readers is a lock whose readers do as told.
type readers struct {
	shm.Mutex
	lock, unlock func(int)
}

func (r readers) RLock(pid int)   { r.lock(pid) }
func (r readers) RUnlock(pid int) { r.unlock(pid) }

// trying is a lock that is tried as told.
type trying struct {
	shm.Mutex
	try func(int) bool
}

func (t trying) TryLock(pid int) bool { return t.try(pid) }

// giving is a lock that is given up as told.
type giving struct {
	shm.Mutex
	until func(int, func() bool) bool
}

func (g giving) LockUntil(pid int, giveUp func() bool) bool { return g.until(pid, giveUp) }

// TestModesControls: each mode has locks that are wrong in that mode alone, and are found
// out.
func TestModesControls(t *testing.T) {
	sample.NeedsAll(t)
	newTicket := func() *queue.TicketMutex {
		m, _ := queue.NewTicket(16, shm.Packed, shm.Sequential)
		return m
	}
	nothing := func(int) {}
	// A process that still waits at the end of the test would keep the processors from those
	// after it.
	var over atomic.Bool
	t.Cleanup(func() { over.Store(true) })
	until := func(cond func() bool) {
		spin.Until(func() bool { return cond() || over.Load() })
		if over.Load() {
			runtime.Goexit()
		}
	}
	for _, c := range []struct {
		name    string
		lock    func() shm.Mutex
		oracles []string
	}{
		{"readers that wait for nobody", func() shm.Mutex { return readers{newTicket(), nothing, nothing} },
			[]string{"overlap: owner register", "overlap: plain words"}},
		{"a try that always succeeds", func() shm.Mutex {
			var next, now atomic.Uint32
			enter := func(int) { m := next.Add(1) - 1; until(func() bool { return now.Load() == m }) }
			return trying{made{enter, func(int) { now.Add(1) }}, func(int) bool { return true }}
		},
			[]string{"overlap: owner register", "overlap: plain words", "overlap: counts", "starved", "hung"}},
		{"a try that leaves its ticket", func() shm.Mutex {
			var next, now atomic.Uint32
			enter := func(int) { m := next.Add(1) - 1; until(func() bool { return now.Load() == m }) }
			return trying{made{enter, func(int) { now.Add(1) }}, func(int) bool { return next.Add(1)-1 == now.Load() }}
		}, []string{"hung", "starved"}},
		{"an entry given up that leaves its ticket", func() shm.Mutex {
			var next, now atomic.Uint32
			enter := func(int) { m := next.Add(1) - 1; until(func() bool { return now.Load() == m }) }
			return giving{made{enter, func(int) { now.Add(1) }}, func(_ int, giveUp func() bool) bool {
				for m := next.Add(1) - 1; now.Load() != m; spin.Pause() {
					if over.Load() {
						runtime.Goexit()
					}
					if giveUp() {
						return false
					}
				}
				return true
			}}
		}, []string{"hung", "starved"}},
		{"writers that starve", func() shm.Mutex {
			m, came := newTicket(), new(atomic.Bool) // a reader came
			return readers{made{func(pid int) { until(func() bool { return !came.Load() }); m.Lock(pid) }, m.Unlock},
				func(pid int) { came.Store(true); m.Lock(pid) }, m.Unlock}
		}, []string{"starved", "hung"}},
		{"readers that starve", func() shm.Mutex {
			m, came := newTicket(), new(atomic.Bool) // a writer came
			return readers{made{func(pid int) { came.Store(true); m.Lock(pid) }, m.Unlock},
				func(pid int) { until(func() bool { return !came.Load() }); m.Lock(pid) }, m.Unlock}
		}, []string{"starved", "hung"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if race.Enabled && strings.Contains(c.oracles[0], "overlap") {
				t.Skip("the race detector ends the program; see TestUnsafe")
			}
			o := stress.Options{Duration: deadline.Half(t), Procs: []int{4}}
			if slices.Contains(c.oracles, "hung") {
				o.Deadline = 400 * time.Millisecond // no lock has an excuse for the usual one
			}
			r, err := stress.Test(t.Context(), modal(c.lock), o)
			require.NoError(t, err)
			require.NotNil(t, r.Found)
			require.Contains(t, c.oracles, r.Found.Oracle, text(r))
			t.Log(text(r))
		})
	}
}
