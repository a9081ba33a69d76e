package replay

import (
	"errors"
	"go/format"
	"go/types"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"shmbench/check/internal/load"
	"shmbench/check/internal/replay/harness"
	"shmbench/internal/testkit/sample"
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
	r, err := p.Run(harness.Job{Lock: "NewEndless", N: 2}, time.Minute)
	require.NoError(t, err)
	require.NotNil(t, r)
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

// TestStop: a program that was stopped is gone, and the next run starts it afresh. This test stands for the program.
func TestStop(t *testing.T) {
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	require.NoError(t, child.Start())
	p := &Program{ctx: t.Context(), cmd: child}
	p.Stop()
	require.Nil(t, p.cmd)
	require.NotNil(t, child.ProcessState, "it has been waited for")
	p.Stop() // stops nothing
}

// TestSources: the driver calls constructors as they are declared, or the list with its paths. It sets up the packages of the
// module that locks wait with.
func TestSources(t *testing.T) {
	const spins, sleeps = "\tshmbench_spin.Use(shmbench_spin.Busy)\n", "\tshmbench_futex.UseModel()\n"
	in := func(name string, spin, futex bool) *load.Program {
		return &load.Program{Main: &ssa.Package{Pkg: types.NewPackage("example/"+name, name)}, Spin: spin, Futex: futex}
	}
	for _, c := range []struct {
		name     string
		target   Target
		has, not []string
	}{
		{"constructors", Target{Prog: in("locks", false, false), Constructors: []Constructor{{Name: "NewA"}, {Name: "NewB", Further: 2, Fails: true}}},
			[]string{"\tcase \"NewA\":\n\t\treturn NewA(n), nil\n", "\tcase \"NewB\":\n\t\treturn NewB(n, 0, 0)\n"}, []string{spins, sleeps, "all :="}},
		{"a list", Target{Prog: in("locks", true, false), List: "All"}, []string{"\tall := All()\n", spins}, []string{sleeps, "switch"}},
		{"a list with paths", Target{Prog: in("locks", false, true), List: "All", Paths: [][]int{{0}, {1}}}, []string{"\tall := All([][]int{[]int{0}, []int{1}})\n", sleeps},
			[]string{spins}},
		{"spinning and sleeping", Target{Prog: in("locks", true, true), List: "All"}, []string{spins + sleeps}, nil},
	} {
		driver, main := c.target.sources("example/locks/replay")
		require.Contains(t, main, "import p \"example/locks\"", c.name)
		require.Contains(t, driver, "package locks\n", c.name)
		require.Contains(t, driver, "shmbench_harness \"example/locks/replay/harness\"", c.name)
		for _, text := range c.has {
			require.Contains(t, driver, text, c.name)
		}
		for _, text := range c.not {
			require.NotContains(t, driver, text, c.name)
		}
		_, err := format.Source([]byte(driver))
		require.NoError(t, err, c.name)
	}
	driver, main := (Target{Prog: in("main", false, false), List: "All"}).sources("example/main/replay")
	require.Contains(t, driver, "func main() { Shmbench_Replay() }")
	require.Empty(t, main, "a program gets no other main package")
}
