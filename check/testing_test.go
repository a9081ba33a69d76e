package check_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/shm"
)

// failures is a test that notes what fails it.
type failures struct {
	testing.TB
	noted []string
}

func (f *failures) Error(args ...any) { f.noted = append(f.noted, fmt.Sprint(args...)) }

func (f *failures) Fatal(args ...any) { f.Error(args...) }

func (f *failures) Fatalf(format string, args ...any) {
	f.noted = append(f.noted, fmt.Sprintf(format, args...))
}

func TestRunFailsABrokenLock(t *testing.T) {
	t.Chdir("testdata/broken")
	f := &failures{TB: t}
	check.Run(f, shm.Algorithm{Name: "broken/lock", MinProcs: 2, MaxProcs: 2}, "New")
	require.Len(t, f.noted, 1)
	require.Contains(t, f.noted[0], "broken/lock, n=2: mutual exclusion is violated")
}

// TestRunFailsIfNothingIsChecked: without a limit in the specification, or with one that leaves out
// 2 and 3, a broken lock must not pass.
func TestRunFailsIfNothingIsChecked(t *testing.T) {
	t.Chdir("testdata/broken")
	for _, limits := range [][2]int{{0, 0}, {1, 1}, {4, 8}} {
		f := &failures{TB: t}
		check.Run(f, shm.Algorithm{Name: "broken/lock", MinProcs: limits[0], MaxProcs: limits[1]}, "New")
		require.Len(t, f.noted, 1)
		require.Contains(t, f.noted[0], fmt.Sprintf(`nothing was checked: check.Run explores 2 and 3 processes, and the specification of "broken/lock" allows %d to %d;`, limits[0], limits[1]))
	}
}

// TestRunBuildsWhatTheSpecificationAllows: a lock that cannot be built for three processes fails if its
// specification allows three.
func TestRunBuildsWhatTheSpecificationAllows(t *testing.T) {
	t.Chdir("testdata/locks")
	for most, want := range map[int][]string{
		2: nil,
		3: {"locks/pair is undecided: NewPair(3) returns an error: it cannot build a lock for 3 processes"},
	} {
		f := &failures{TB: t}
		check.Run(f, shm.Algorithm{
			Name: "locks/pair", Class: shm.TestAndSet, MinProcs: 2, MaxProcs: most,
			Claims: shm.Claims{DeadlockFree: true},
			Space:  shm.Space{{Name: "busy", Count: shm.Const(1), Values: shm.Const(2)}},
		}, "NewPair")
		require.Equal(t, want, f.noted, "the specification allows %d", most)
	}
}
