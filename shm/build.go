package shm

import (
	"cmp"
	"fmt"
	"reflect"
)

// Build is the argument of a lock's constructor.
type Build struct {
	N        int // the number of processes
	Layout   Layout
	Released bool // stores that need no fence have release order
}

// Built returns the specification with the layout, the stores and a New. New returns a
// *ProcsError for an n that the specification does not allow, another error if the layout or the
// stores are not among the constants, and calls lock otherwise. A specification without MinProcs or MaxProcs allows 1 to MaxProcs processes.
func (a Algorithm) Built(layout Layout, stores Stores, lock func(Build) Mutex) Algorithm {
	return a.built(layout, stores, func(b Build) (Mutex, error) { return lock(b), nil })
}

// BuiltOver is Built for a lock over another one, which has the same processes. New also
// returns the error of the inner lock's New.
func (a Algorithm) BuiltOver(inner Algorithm, layout Layout, stores Stores, lock func(Build, Mutex) Mutex) Algorithm {
	build := inner.New
	return a.built(layout, stores, func(b Build) (Mutex, error) {
		m, err := build(b.N)
		if err != nil {
			return nil, err
		}
		return lock(b, m), nil
	})
}

func (a Algorithm) built(layout Layout, stores Stores, lock func(Build) (Mutex, error)) Algorithm {
	a.Layout, a.Stores = layout, stores
	a.MinProcs, a.MaxProcs = cmp.Or(a.MinProcs, 1), cmp.Or(a.MaxProcs, MaxProcs)
	name, least, most := a.Name, a.MinProcs, a.MaxProcs
	a.New = func(n int) (Mutex, error) {
		if err := cmp.Or(CheckProcs(name, n, least, most), checkForm(name, layout, stores)); err != nil {
			return nil, err
		}
		return lock(Build{N: n, Layout: layout, Released: stores == Released})
	}
	return a
}

// checkForm returns an error that names a layout or stores that do not exist.
func checkForm(name string, layout Layout, stores Stores) error {
	switch {
	case layout > Padded:
		return fmt.Errorf("%s has no layout %d: use shm.Packed or shm.Padded", name, layout)
	case stores > Released:
		return fmt.Errorf("%s has no stores %d: use shm.Sequential or shm.Released", name, stores)
	}
	return nil
}

// New returns the lock of a specification for n processes as an M, the type of the lock or an
// interface such as AbortableMutex. It returns a *ProcsError if the specification does not allow n,
// and another error if the lock is not an M.
func New[M Mutex](a Algorithm, n int) (lock M, err error) {
	m, err := a.New(n)
	if err != nil {
		return lock, err
	}
	lock, ok := m.(M)
	if !ok {
		return lock, fmt.Errorf("%s: the lock is a %T, not a %v", a.Name, m, reflect.TypeFor[M]())
	}
	return lock, nil
}
