//go:build go1.24

package harness

import (
	"reflect"
	"unsafe"
)

// The outcomes of Recover, as package shm has them.
const (
	enter = iota
	inside
	finished
)

// recoverOf returns the lock's method Recover(pid int), whose result is of an integer type,
// or nil.
func recoverOf(lock Lock) func(pid int) uint64 {
	method := reflect.ValueOf(lock).MethodByName("Recover")
	if !method.IsValid() || method.Type().NumIn() != 1 || method.Type().In(0).Kind() != reflect.Int || method.Type().NumOut() != 1 {
		return nil
	}
	switch out := method.Type().Out(0); {
	case reflect.Zero(out).CanInt():
		return func(pid int) uint64 { return uint64(method.Call([]reflect.Value{reflect.ValueOf(pid)})[0].Int()) }
	case reflect.Zero(out).CanUint():
		return func(pid int) uint64 { return method.Call([]reflect.Value{reflect.ValueOf(pid)})[0].Uint() }
	}
	return nil
}

// recover calls Recover, whose end is an event, and returns the outcome.
func (p *process) recover(call func(pid int) uint64, pid int) uint64 {
	p.stands = standing(Enters, 0) | recovering
	outcome := call(pid)
	p.end(Event{After: valueOf(reflect.TypeFor[uint64](), unsafe.Pointer(&outcome))})
	return outcome
}
