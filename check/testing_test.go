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

func TestRunFailsABrokenLock(t *testing.T) {
	t.Chdir("testdata/broken")
	f := &failures{TB: t}
	check.Run(f, shm.Algorithm{Name: "broken/lock", MinProcs: 2, MaxProcs: 2}, "New")
	require.Len(t, f.noted, 1)
	require.Contains(t, f.noted[0], "broken/lock, n=2: mutual exclusion is violated")
}
