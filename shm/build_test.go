package shm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

type nothing struct{ shm.Build }

func (*nothing) Lock(int)   {}
func (*nothing) Unlock(int) {}

// TestBuilt: a specification refuses an n outside its limits, and the constructor gets
// the layout and the stores.
func TestBuilt(t *testing.T) {
	build := func(b shm.Build) shm.Mutex { return &nothing{b} }
	two := shm.Algorithm{Name: "a/two", MaxProcs: 2}.Built(shm.Padded, shm.Released, build)
	require.Equal(t, 1, two.MinProcs)
	require.Equal(t, shm.Padded, two.Layout)
	require.Equal(t, shm.Released, two.Stores)
	l, err := shm.New[*nothing](two, 2)
	require.NoError(t, err)
	require.Equal(t, shm.Build{N: 2, Layout: shm.Padded, Released: true}, l.Build)
	for _, n := range []int{0, 3} {
		l, err = shm.New[*nothing](two, n)
		require.Nil(t, l)
		require.Equal(t, &shm.ProcsError{Algorithm: "a/two", N: n, Min: 1, Max: 2}, err)
	}
	any := shm.Algorithm{Name: "a/any", MinProcs: 2}.Built(shm.Packed, shm.Sequential, build)
	require.Equal(t, []int{2, shm.MaxProcs}, []int{any.MinProcs, any.MaxProcs})
	l, err = shm.New[*nothing](any, 5)
	require.NoError(t, err)
	require.Equal(t, shm.Build{N: 5}, l.Build)
}

// TestBuiltInNoForm: a layout or stores that do not exist are an error, not a default.
func TestBuiltInNoForm(t *testing.T) {
	for want, a := range map[string]shm.Algorithm{
		"a/lock has no layout 2: use shm.Packed or shm.Padded":       shm.Algorithm{Name: "a/lock"}.Built(shm.Padded+1, shm.Sequential, nil),
		"a/lock has no stores 2: use shm.Sequential or shm.Released": shm.Algorithm{Name: "a/lock"}.Built(shm.Padded, shm.Released+1, nil),
	} {
		l, err := a.New(2)
		require.Nil(t, l)
		require.EqualError(t, err, want)
	}
}

// TestNewOfAnotherType: a lock that is no M is an error and no panic, since a specification may
// come from the catalog by a name that a user gives.
func TestNewOfAnotherType(t *testing.T) {
	two := shm.Algorithm{Name: "a/two"}.Built(shm.Packed, shm.Sequential, func(b shm.Build) shm.Mutex { return &nothing{b} })
	l, err := shm.New[*over](two, 2)
	require.Nil(t, l)
	require.EqualError(t, err, "a/two: the lock is a *shm_test.nothing, not a *shm_test.over")
	abortable, err := shm.New[shm.AbortableMutex](two, 2)
	require.Nil(t, abortable)
	require.EqualError(t, err, "a/two: the lock is a *shm_test.nothing, not a shm.AbortableMutex")
}

type over struct {
	nothing
	inner shm.Mutex
}

// TestBuiltOver: the constructor gets an inner lock for as many processes. An n that the
// inner lock refuses is an error of New.
func TestBuiltOver(t *testing.T) {
	inner := shm.Algorithm{Name: "a/inner", MaxProcs: 2}.Built(shm.Packed, shm.Sequential, func(b shm.Build) shm.Mutex { return &nothing{b} })
	outer := shm.Algorithm{Name: "a/outer", MaxProcs: 3}.BuiltOver(inner, shm.Padded, shm.Released,
		func(b shm.Build, inner shm.Mutex) shm.Mutex { return &over{nothing{b}, inner} })
	l, err := shm.New[*over](outer, 2)
	require.NoError(t, err)
	require.Equal(t, &over{nothing{shm.Build{N: 2, Layout: shm.Padded, Released: true}}, &nothing{shm.Build{N: 2}}}, l)
	for n, want := range map[int]*shm.ProcsError{
		3: {Algorithm: "a/inner", N: 3, Min: 1, Max: 2},
		4: {Algorithm: "a/outer", N: 4, Min: 1, Max: 3},
	} {
		l, err = shm.New[*over](outer, n)
		require.Nil(t, l)
		require.Equal(t, want, err)
	}
}

// TestValidate: a specification that no instrument can use is refused, with what is wrong.
func TestValidate(t *testing.T) {
	build := func(int) (shm.Mutex, error) { return new(nothing), nil }
	require.NoError(t, shm.Algorithm{Name: "a/lock", MinProcs: 2, MaxProcs: 2, New: build}.Validate())
	for wrong, a := range map[string]shm.Algorithm{
		"the specification has no Name":                            {MinProcs: 1, MaxProcs: 2, New: build},
		`the specification of "a/lock" has no New`:                 {Name: "a/lock", MinProcs: 1, MaxProcs: 2},
		`the specification of "a/lock" allows 1 to 0 processes: `:  {Name: "a/lock", MinProcs: 1, New: build},
		`the specification of "a/lock" allows 0 to 2 processes: `:  {Name: "a/lock", MaxProcs: 2, New: build},
		`the specification of "a/lock" allows -1 to 2 processes: `: {Name: "a/lock", MinProcs: -1, MaxProcs: 2, New: build},
	} {
		require.ErrorContains(t, a.Validate(), wrong)
	}
}
