package foreign

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
	"shmbench/tas"
)

// hook is a lock for one process.
type hook func()

func (hook) Lock(int)   {}
func (hook) Unlock(int) {}

// A lock is known by its specification, or by the function that builds it, which says by
// what it refuses for how many processes it is.
func TestSpecification(t *testing.T) {
	a, err := Spec(tas.TAS(shm.Sequential), "mylock.Spec")
	require.NoError(t, err)
	require.Equal(t, tas.TAS(shm.Sequential).Name, a.Name)

	for most, build := range map[int]any{
		8: func(int) *hook { return new(hook) },
		2: func(n int) (shm.Mutex, error) {
			if n > 2 {
				return nil, errors.New("two only")
			}
			return hook(nil), nil
		},
		1: func(n int) (*hook, error) {
			if n > 1 {
				return nil, errors.New("one only")
			}
			return new(hook), nil
		},
		4: func(n int) *hook {
			if n > 4 {
				panic("four only")
			}
			return new(hook)
		},
	} {
		a, err := Spec(build, "mylock.New")
		require.NoError(t, err)
		require.Equal(t, []any{"mylock.New", 1, most}, []any{a.Name, a.MinProcs, a.MaxProcs})
		require.Equal(t, shm.Claims{DeadlockFree: true}, a.Claims, "nothing else is claimed")
		_, err = a.New(1)
		require.NoError(t, err)
	}
	_, err = Spec(func(int) *hook { panic("none") }, "mylock.New")
	require.EqualError(t, err, "it panics: none")
	require.Panics(t, func() { Spec(func(n int) *hook { return make([]*hook, 2)[n] }, "mylock.New") }, "a fault is no refusal")
	_, err = Spec(func(int) shm.Mutex { return nil }, "mylock.New")
	require.EqualError(t, err, "it returned nil")

	for _, wrong := range []any{nil, 7, func() shm.Mutex { return nil }, func(string) shm.Mutex { return nil },
		func(int) int { return 0 }, func(int) (shm.Mutex, bool) { return nil, false }, func(int) {}} {
		_, err := Spec(wrong, "mylock.New")
		require.ErrorContains(t, err, "it must be a specification")
	}
}

// TestARangeOfProcesses: a constructor may refuse few processes as well as many.
func TestARangeOfProcesses(t *testing.T) {
	between := func(least, most int) func(n int) (*hook, error) {
		return func(n int) (*hook, error) {
			if n < least || n > most {
				return nil, errors.New("refused")
			}
			return new(hook), nil
		}
	}
	for _, c := range []struct{ least, most int }{{2, 2}, {3, 5}, {12, 12}} {
		a, err := Spec(between(c.least, c.most), "mylock.New", 12)
		require.NoError(t, err)
		require.Equal(t, []int{c.least, c.most}, []int{a.MinProcs, a.MaxProcs})
	}
	_, err := Spec(between(13, 20), "mylock.New", 12)
	require.EqualError(t, err, "refused")
}
