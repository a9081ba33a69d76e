//go:build linux && (amd64 || arm64)

package kills_test

import (
	"cmp"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/bakery"
	"shmbench/internal/run/isolate"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/queue"
	"shmbench/locks/recoverable"
	"shmbench/shm"
	"shmbench/shm/region/regiontest"
	"shmbench/stress/kills"
)

func TestMain(m *testing.M) {
	kills.Serve(context.Background(), find)
	os.Exit(m.Run())
}

// find has a recoverable lock, and three that are none.
func find(name string) (shm.Algorithm, error) {
	for _, a := range []shm.Algorithm{
		recoverable.RTAS(),
		blind(),
		queue.MCS(shm.Padded, shm.Sequential),
		bakery.Lamport(shm.Padded, shm.Sequential),
	} {
		if a.Name == name {
			return a, nil
		}
	}
	return shm.Algorithm{}, errors.New("no lock")
}

// blindMutex is the owner word whose Recover frees the lock that its process holds. It then
// sleeps, since on a busy machine no other process runs in the moment before the next access.
type blindMutex struct{ recoverable.RTASMutex }

func blind() shm.Algorithm {
	return shm.Algorithm{Name: "test/blind"}.Built(shm.Padded, shm.Sequential, func(shm.Build) shm.Mutex { return new(blindMutex) })
}

func (l *blindMutex) Recover(i int) shm.Outcome {
	if l.RTASMutex.Recover(i) == shm.Inside {
		l.Unlock(i)
		time.Sleep(2 * time.Millisecond)
	}
	return shm.Enter
}

// TestTotal: the total is of all sections.
func TestTotal(t *testing.T) {
	r := kills.Report{Kills: [kills.Sections]int{kills.Remainder: 1, kills.Entry: 20, kills.Exit: 300}}
	require.Equal(t, 321, r.Total())
}

// ask makes a trial in another process, as shmbench stress does.
func ask(t *testing.T, trial kills.Trial) *kills.Report {
	t.Helper()
	regiontest.Need(t)
	trial.Procs, trial.Seed = 3, cmp.Or(trial.Seed, 7)
	r, err := isolate.Ask[kills.Trial, *kills.Report](t.Context(), os.Args[0], kills.Service, trial)
	require.NoError(t, err)
	return r
}

// TestHolds: nothing is found of a recoverable lock whose processes are killed, one by one and
// all at once, and processes are killed in their critical sections, too. On a busy machine most are
// killed before they come so far: at load 20, each of 26 trials had a kill there, and some had one only.
func TestHolds(t *testing.T) {
	sample.NeedsAll(t)
	for _, system := range []bool{false, true} {
		seed := uint64(6)
		deadline.Try(t, 0.25, func() bool {
			seed++
			r := ask(t, kills.Trial{Lock: "recoverable/rtas", Kills: 30, System: system, Seed: seed, Deadline: time.Minute})
			require.Nil(t, r.Found)
			require.GreaterOrEqual(t, r.Total(), 30)
			require.GreaterOrEqual(t, r.Passages, uint64(3*100), "each process makes its last passages")
			return system || r.Kills[kills.Critical] > 0
		})
	}
}

// TestHoldsShortly: so it is with a few kills.
func TestHoldsShortly(t *testing.T) {
	for _, system := range []bool{false, true} {
		r := ask(t, kills.Trial{Lock: "recoverable/rtas", Kills: 6, System: system, Deadline: time.Minute})
		require.Nil(t, r.Found)
		require.GreaterOrEqual(t, r.Total(), 6)
		require.GreaterOrEqual(t, r.Passages, uint64(3*100), "each process makes its last passages")
		require.Positive(t, r.Seconds)
		r.Seconds, r.Passages, r.Kills = 0, 0, [kills.Sections]int{}
		require.Equal(t, &kills.Report{Algorithm: "recoverable/rtas", Procs: 3, System: system, Seed: 7}, r)
	}
}

// TestFinds: a Recover that frees blindly lets another process in, MCS hangs, and Lamport's
// bakery lets another process in. The first two do so also if all processes are killed at
// once. On a busy machine most processes are killed before they come far: at load 20, 110 of 113
// trials found the fault.
func TestFinds(t *testing.T) {
	sample.NeedsAll(t)
	for _, bad := range []struct {
		lock, oracle string
		kills        int // at most
		system       bool
		deadline     time.Duration // short where the lock hangs
	}{
		{"test/blind", "re-entry", 200, false, time.Minute}, {"queue/mcs", "hung", 200, false, 3 * time.Second}, {"bakery/lamport", "re-entry", 200, false, time.Minute},
		{"test/blind", "re-entry", 1000, true, time.Minute},
		{"queue/mcs", "hung", 10, true, 3 * time.Second}, // seen in the last round, the only one that outlasts the deadline
	} {
		seed := uint64(6)
		deadline.Try(t, 0.25, func() bool {
			seed++
			r := ask(t, kills.Trial{Lock: bad.lock, Kills: bad.kills, System: bad.system, Seed: seed, Deadline: bad.deadline})
			t.Logf("%v: %v after %d kills, %v", bad, r.Found, r.Total(), r.Kills)
			if r.Found != nil {
				require.Equal(t, bad.oracle, r.Found.Oracle, "%v: %s", bad, r.Found.Text)
			}
			return r.Found != nil
		})
	}
}

// TestRefuses: the error of a lock that cannot be shared, or is not known, is one line.
func TestRefuses(t *testing.T) {
	_, err := isolate.Ask[kills.Trial, *kills.Report](t.Context(), os.Args[0], kills.Service, kills.Trial{Lock: "none", Procs: 2})
	require.EqualError(t, err, "no lock")
}
