// Package interp runs Go code in SSA form, one process of a lock at a time and
// one shared access at a time, with a state that can be copied, compared and
// resumed.
package interp

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Value is what a variable holds: a Num, string, Ptr, Slice, *Closure, Iface,
// Agg or Opaque. Values are immutable.
type Value any

// Num is an integer or a boolean, sign-extended if its type is signed.
type Num uint64

// Ptr is an address: an object and a cell in it. Objects that New built are
// numbered from 1; a process's own, which no other can reach, from -1 down.
// The zero Ptr is nil.
type Ptr struct{ Obj, Off int32 }

// Slice is a slice of the cells from P on; Len and Cap count elements.
type Slice struct {
	P        Ptr
	Len, Cap int32
}

// Closure is a function with the variables it has captured; nil is a nil func.
type Closure struct {
	Fn   *ssa.Function
	Free []Value
}

// Iface is an interface value; its T is nil if the interface is.
type Iface struct {
	T types.Type
	V Value
}

// Agg is a struct, array or tuple as the flat sequence of its scalars. Blank
// fields take no place in it.
type Agg []Value

// Opaque stands for a value that was made by code which is not interpreted.
type Opaque struct{ By string }

var noClosure = (*Closure)(nil)

// layouts answers how types lie in cells.
type layouts struct {
	size map[types.Type]int32
	off  map[*types.Struct][]int32
}

func newLayouts() *layouts {
	return &layouts{map[types.Type]int32{}, map[*types.Struct][]int32{}}
}

// isAgg reports whether values of type t are Aggs.
func isAgg(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Tuple:
		return true
	}
	return false
}

// cells returns how many cells a value of type t takes.
func (l *layouts) cells(t types.Type) int32 {
	if n, ok := l.size[t]; ok {
		return n
	}
	n := int32(1)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		offs := l.offsets(u)
		n = offs[len(offs)-1]
	case *types.Array:
		n = int32(u.Len()) * l.cells(u.Elem())
	case *types.Tuple:
		n = 0
		for v := range u.Variables() {
			n += l.cells(v.Type())
		}
	}
	l.size[t] = n
	return n
}

// offsets returns where each field of a struct begins, and the total.
func (l *layouts) offsets(s *types.Struct) []int32 {
	if offs, ok := l.off[s]; ok {
		return offs
	}
	offs := make([]int32, s.NumFields()+1)
	for i := range s.NumFields() {
		offs[i+1] = offs[i]
		if f := s.Field(i); f.Name() != "_" {
			offs[i+1] += l.cells(f.Type())
		}
	}
	l.off[s] = offs
	return offs
}

// tupleOff returns where component i of a tuple begins.
func (l *layouts) tupleOff(t *types.Tuple, i int) int32 {
	var off int32
	for k := range i {
		off += l.cells(t.At(k).Type())
	}
	return off
}

// zero returns the zero value of type t.
func (l *layouts) zero(t types.Type) Value {
	if isAgg(t) {
		return l.zeros(nil, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UnsafePointer, u.Kind() == types.UntypedNil:
			return Ptr{}
		case u.Info()&types.IsString != 0:
			return ""
		case u.Info()&(types.IsInteger|types.IsBoolean) != 0:
			return Num(0)
		}
		return Opaque{"a " + u.Name()}
	case *types.Pointer:
		return Ptr{}
	case *types.Slice:
		return Slice{}
	case *types.Signature:
		return noClosure
	case *types.Interface:
		return Iface{}
	}
	return Opaque{fmt.Sprintf("a %s", t)}
}

// zeros appends the cells of a zero value of type t.
func (l *layouts) zeros(to Agg, t types.Type) Agg {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Name() != "_" {
				to = l.zeros(to, f.Type())
			}
		}
	case *types.Array:
		for range u.Len() {
			to = l.zeros(to, u.Elem())
		}
	case *types.Tuple:
		for v := range u.Variables() {
			to = l.zeros(to, v.Type())
		}
	default:
		to = append(to, l.zero(t))
	}
	return to
}

// pack makes a value of type t of its cells.
func pack(t types.Type, cells []Value) Value {
	if isAgg(t) {
		return Agg(append([]Value(nil), cells...))
	}
	return cells[0]
}

// flat returns the cells of a value.
func flat(v Value) []Value {
	if a, ok := v.(Agg); ok {
		return a
	}
	return []Value{v}
}
