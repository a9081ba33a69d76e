// Package fields copies and compares nodes by all their fields. A node has no code for
// that, so no field can be forgotten.
//
// A field with the tag `state:"scratch"` is memory that a node uses within one event. It
// is copied, and it is no part of the state.
package fields

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
)

// A Former is a part of a node whose state is not the value of its fields. Form returns
// that state.
type Former interface{ Form() any }

// Clone returns a copy of v that shares no mutable memory with v. Functions are shared.
func Clone[T any](v T) T {
	own(reflect.ValueOf(&v).Elem())
	return v
}

// own replaces the memory that v refers to by a copy.
func own(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, i := range planOf(v.Type()).owners {
			own(field(v, i))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		if refers(v.Type().Elem()) {
			for i := range v.Len() {
				own(v.Index(i))
			}
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		c := variable(v.Elem())
		own(c)
		if v.Kind() == reflect.Pointer {
			c = c.Addr()
		}
		v.Set(c)
	}
}

// Append appends the canonical form of v to b. Two values of one type have the same form
// if and only if their states are equal.
func Append(b []byte, v any) []byte { return appendForm(b, reflect.ValueOf(v)) }

func appendForm(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		for i := range v.Len() {
			b = appendForm(b, v.Index(i))
		}
		return b
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendForm(append(b, 1), v.Elem())
	case reflect.Struct:
		return appendStruct(b, v)
	}
	panic(fmt.Sprintf("a node has a field of type %v", v.Type()))
}

func appendStruct(b []byte, v reflect.Value) []byte {
	if !v.CanAddr() {
		v = variable(v)
	}
	p := planOf(v.Type())
	if p.former {
		return Append(b, v.Addr().Interface().(Former).Form())
	}
	for _, i := range p.state {
		b = appendForm(b, field(v, i))
	}
	return b
}

// plan says what to do with the fields of a structure.
type plan struct {
	former bool  // it is a Former
	owners []int // the fields that refer to memory
	state  []int // the fields that are part of the state
}

var plans sync.Map // by reflect.Type

func planOf(t reflect.Type) *plan {
	if p, known := plans.Load(t); known {
		return p.(*plan)
	}
	p := &plan{former: reflect.PointerTo(t).Implements(reflect.TypeFor[Former]())}
	for i := range t.NumField() {
		f := t.Field(i)
		if refers(f.Type) {
			p.owners = append(p.owners, i)
		}
		if f.Tag.Get("state") != "scratch" && f.Type.Kind() != reflect.Func {
			p.state = append(p.state, i)
		}
	}
	plans.Store(t, p)
	return p
}

// refers reports whether values of type t refer to memory that an event may change.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	case reflect.Struct:
		return len(planOf(t).owners) > 0
	case reflect.Array, reflect.Map, reflect.Chan, reflect.String:
		panic(fmt.Sprintf("a node has a field of type %v", t))
	}
	return false
}

// field returns field i of v, which may be unexported, as a variable.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// variable returns a new variable with the value v.
func variable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
