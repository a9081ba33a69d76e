package stress_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/isolate"
	"shmbench/internal/testkit/deadline"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
	"shmbench/stress"
	"shmbench/stress/testdata/broken"
	"shmbench/stress/testdata/odd"
)

var hunt = flag.Duration("hunt", 0, "stress each lock of testdata for so long, and log which of the broken ones were found")

// TestMain also answers for a child, in which what hangs does not stay.
func TestMain(m *testing.M) {
	stress.ServeProcesses(context.Background(), findForChild)
	isolate.Child(context.Background(), stress.Service, func(ctx context.Context, t stress.Trial) (*stress.Report, error) {
		for _, a := range append(broken.All(), odd.All()...) {
			if a.Name == t.Lock {
				return stress.Test(ctx, a, t.Options)
			}
		}
		return nil, errors.New("no lock " + t.Lock)
	})
	os.Exit(m.Run())
}

// apart stresses a lock in a child and returns the finding, "" if there is none.
func apart(t *testing.T, a shm.Algorithm, o stress.Options) (found string, seconds float64) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	r, err := isolate.Ask[stress.Trial, *stress.Report](t.Context(), program, stress.Service, stress.Trial{Lock: a.Name, Options: o})
	var crash *isolate.Crash
	switch {
	case errors.As(err, &crash):
		return "crash or race: " + crash.Error(), 0
	case err != nil:
		require.NoError(t, err)
	case r.Found != nil:
		return text(r), r.Found.Seconds
	}
	return "", r.Seconds
}

func nameOf(a shm.Algorithm) string { return a.Name }

// TestOddLocks: correct locks are accused of nothing, however oddly they
// behave. It looks at some, and at all with -all.
func TestOddLocks(t *testing.T) {
	duration := max(*hunt, 100*time.Millisecond)
	for _, a := range sample.Of(t, odd.All(), nameOf, 20) {
		t.Run(a.Name, func(t *testing.T) {
			found, _ := apart(t, a, stress.Options{Duration: duration})
			require.Empty(t, found)
		})
	}
}

// evident are the broken locks that a run finds on any machine.
var evident = []string{"TestThenSet", "Wrap16", "FourSlots", "PidMask", "OwnNode", "UnfairTAS", "LIFO", "RareSkip",
	"LostWakeup", "CrossedPair", "LowFirst", "PanicsLate", "CutQueue"}

// TestBrokenLocks: each evident broken lock is found.
func TestBrokenLocks(t *testing.T) {
	sample.NeedsAll(t)
	if *hunt > 0 {
		huntBroken(t)
		return
	}
	found := slices.DeleteFunc(broken.All(), func(a shm.Algorithm) bool {
		return !slices.Contains(evident, strings.TrimPrefix(a.Name, "broken/"))
	})
	for _, a := range found {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel() // several only wait until they are called hung
			found, _ := apart(t, a, stress.Options{Duration: deadline.Half(t)})
			require.NotEmpty(t, found)
		})
	}
}

// huntBroken logs how soon each of the broken locks is found.
func huntBroken(t *testing.T) {
	var missed []string
	for _, a := range broken.All() {
		found, seconds := apart(t, a, stress.Options{Duration: *hunt})
		if found == "" {
			missed = append(missed, a.Name)
			continue
		}
		t.Logf("%-24s %6.2f s  %s", a.Name, seconds, fmt.Sprintf("%.300s", found))
	}
	t.Logf("%d of %d broken locks were found; missed: %v", len(broken.All())-len(missed), len(broken.All()), missed)
}
