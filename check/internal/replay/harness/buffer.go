//go:build go1.24

package harness

import (
	"fmt"
	"reflect"
	"unsafe"

	"shmbench/internal/build/twin"
)

// buffer is a process's store buffer: the stores that have not reached memory,
// the oldest first.
type buffer []held

// held is a store in a buffer: the variable, and a variable with its value.
type held struct {
	t     reflect.Type
	at    unsafe.Pointer
	plain bool
	value reflect.Value
}

// variable returns the variable of type t at an address. An atomic boolean is a
// word that is 0 or 1.
func variable(t reflect.Type, at unsafe.Pointer, plain bool) reflect.Value {
	if !plain && t.Kind() == reflect.Bool {
		t = reflect.TypeFor[uint32]()
	}
	return reflect.NewAt(t, at).Elem()
}

// saved returns a variable with what another one holds.
func saved(v reflect.Value) reflect.Value {
	s := reflect.New(v.Type()).Elem()
	s.Set(v)
	return s
}

// begin prepares memory for an access by the process, and returns what is to be
// done behind it. A load finds the newest store in the process's own buffer. A
// store that is to be buffered goes there, and memory is as it was before.
func (p *process) begin(op twin.Op, t reflect.Type, at unsafe.Pointer, plain bool) (end func()) {
	if i := len(done); i < len(due) && due[i]&Buffers != 0 {
		v := variable(t, at, plain)
		before := saved(v)
		return func() {
			p.buffer = append(p.buffer, held{t, at, plain, saved(v)})
			v.Set(before)
		}
	}
	if i := len(done); i < len(due) && due[i]&Given != 0 {
		return give(op, variable(t, at, plain))
	}
	for i := len(p.buffer) - 1; i >= 0 && op == twin.OpLoad; i-- {
		if p.buffer[i].at == at {
			v := variable(t, at, plain)
			before := saved(v)
			v.Set(p.buffer[i].value)
			return func() { v.Set(before) }
		}
	}
	return nothingToDo
}

func nothingToDo() {}

// give gives the next value to a variable: before a load, behind which it is taken
// away again, or behind a store.
func give(op twin.Op, v reflect.Value) (end func()) {
	bits := coming[0]
	coming = coming[1:]
	set := func() {
		switch {
		case v.CanUint():
			v.SetUint(bits)
		case v.CanInt():
			v.SetInt(int64(bits))
		default:
			v.SetBool(bits != 0)
		}
	}
	if op != twin.OpLoad {
		return set
	}
	before := saved(v)
	set()
	return func() { v.Set(before) }
}

// flush moves the oldest store of a process's buffer to memory.
func (p *process) flush(pid byte) (Event, error) {
	if p == nil || len(p.buffer) == 0 {
		return Event{}, fmt.Errorf("process %d has no store in its buffer", pid)
	}
	h := p.buffer[0]
	p.buffer = p.buffer[1:]
	before := valueOf(h.t, h.at)
	variable(h.t, h.at, h.plain).Set(h.value)
	return Event{Op: Flushed, Plain: h.plain, Addr: uint64(uintptr(h.at)), Before: before, After: valueOf(h.t, h.at)}, nil
}
