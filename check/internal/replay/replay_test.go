package replay

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/load"
	"shmbench/check/internal/replay/harness"
	"shmbench/internal/sample"
)

// started builds a program with locks of package plain.
func started(t *testing.T, constructors ...Constructor) *Program {
	t.Helper()
	prog, err := load.Load(t.Context(), "", "shmbench/check/testdata/plain")
	require.NoError(t, err)
	p, err := Start(t.Context(), Target{Prog: prog, Constructors: constructors})
	require.NoError(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

// TestStuck: a lock that does not come back is given up after the limit, one
// that uses up its stack at once, and the next run begins afresh.
func TestStuck(t *testing.T) {
	sample.NeedsAll(t)
	p := started(t, Constructor{Name: "NewEndless"}, Constructor{Name: "NewRecurses"})
	var stuck *Stuck
	_, err := p.Run(harness.Job{Lock: "NewEndless", N: 2, Schedule: []byte{0}}, 100*time.Millisecond)
	require.ErrorAs(t, err, &stuck)
	require.Equal(t, 100*time.Millisecond, stuck.After)
	require.EqualError(t, stuck, "the compiled lock does not come back within 100ms")
	_, err = p.Run(harness.Job{Lock: "NewEndless", N: 2}, time.Minute)
	require.NoError(t, err)

	_, err = p.Run(harness.Job{Lock: "NewRecurses", N: 2, Schedule: []byte{0}}, time.Minute)
	require.ErrorAs(t, err, &stuck)
	require.Zero(t, stuck.After)
	require.Contains(t, stuck.Reason, "stack exceeds")
	require.EqualError(t, stuck, "the compiled lock ends its program: "+stuck.Reason)
	_, err = p.Run(harness.Job{Lock: "NewRecurses", N: 2}, time.Minute)
	require.NoError(t, err)

	r, err := p.Run(harness.Job{Lock: "NewRing", N: 2}, time.Minute)
	require.NoError(t, err)
	require.Equal(t, "no lock NewRing", r.Err, "it was not built into the program")
}

// TestOrphan: a program whose pipe closes, as it does when the parent is gone,
// ends and takes its directory with it, also while a lock runs forever.
func TestOrphan(t *testing.T) {
	p := started(t, Constructor{Name: "NewEndless"})
	_, err := p.Run(harness.Job{Lock: "NewEndless", N: 2}, time.Minute)
	require.NoError(t, err)
	child := p.cmd
	done := make(chan error)
	go func() {
		_, err := p.Run(harness.Job{Lock: "NewEndless", N: 2, Schedule: []byte{0}}, time.Minute)
		done <- err
	}()
	require.NoError(t, p.stdin.Close())
	var stuck *Stuck
	require.True(t, errors.As(<-done, &stuck))
	require.Zero(t, stuck.After, "it was not waited for")
	require.True(t, child.ProcessState.Exited())
	_, err = os.Stat(p.dir)
	require.ErrorIs(t, err, os.ErrNotExist)
}
