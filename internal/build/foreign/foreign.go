// Package foreign takes locks of packages that are not in the catalog.
package foreign

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"

	"shmbench/shm"
)

// Spec returns the specification of a lock. The lock is a specification or the function that
// builds it, a func(n int) T or func(n int) (T, error). The specification of a function
// claims only mutual exclusion and deadlock freedom. It claims them for all numbers of
// processes that the function does not refuse, of the first eight and of those given. A
// function refuses a number by an error, or by a panic of its own. A run-time error in it,
// such as an index out of range, is a fault of the function, and panics here too.
func Spec(lock any, name string, procs ...int) (shm.Algorithm, error) {
	if a, ok := lock.(shm.Algorithm); ok {
		return a, a.Validate()
	}
	f, t := reflect.ValueOf(lock), reflect.TypeOf(lock)
	mutex, fault := reflect.TypeFor[shm.Mutex](), reflect.TypeFor[error]()
	if t == nil || t.Kind() != reflect.Func || t.NumIn() != 1 || t.In(0).Kind() != reflect.Int ||
		t.NumOut() < 1 || t.NumOut() > 2 || !t.Out(0).Implements(mutex) || t.NumOut() == 2 && t.Out(1) != fault {
		return shm.Algorithm{}, fmt.Errorf("%s is a %v: it must be a specification (shm.Algorithm), or a func(n int) T or func(n int) (T, error) where T has Lock(pid int) and Unlock(pid int)", name, t)
	}
	a := shm.Algorithm{Name: name, Claims: shm.Claims{DeadlockFree: true}}
	a.New = func(n int) (m shm.Mutex, err error) {
		defer func() {
			p := recover()
			if _, fault := p.(runtime.Error); fault {
				panic(p)
			}
			if p != nil {
				err = fmt.Errorf("it panics: %v", p)
			}
		}()
		out := f.Call([]reflect.Value{reflect.ValueOf(n)})
		if len(out) == 2 && !out[1].IsNil() {
			return nil, out[1].Interface().(error)
		}
		m, ok := out[0].Interface().(shm.Mutex)
		if !ok {
			return nil, errors.New("it returned nil")
		}
		return m, nil
	}
	procs = append([]int{1, 2, 3, 4, 5, 6, 7, 8}, procs...)
	slices.Sort(procs)
	var refused error
	a.MinProcs, a.MaxProcs, refused = accepted(a.New, procs)
	return a, refused
}

// accepted returns the first range of numbers of processes that a constructor does not refuse, of those given in
// ascending order. The error is that of the constructor, if it refuses them all.
func accepted(build func(n int) (shm.Mutex, error), procs []int) (least, most int, refused error) {
	for _, n := range procs {
		_, err := build(n)
		switch {
		case err == nil && least == 0:
			least, most = n, n
		case err == nil:
			most = n
		case least > 0:
			return least, most, nil
		default:
			refused = err
		}
	}
	if least > 0 {
		return least, most, nil
	}
	return 0, 0, refused
}
