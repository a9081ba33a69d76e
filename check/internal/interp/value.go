// Package interp runs Go code in SSA form, one process of a lock at a time and one shared
// access at a time. The state of a process can be copied, compared and resumed.
package interp

import (
	"fmt"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Value is what a variable holds: a Num, string, Ptr, Slice, Map, *Closure,
// Iface, Agg, Opaque or Forgotten. Values are immutable.
type Value any

// Num is an integer or a boolean, sign-extended if its type is signed.
type Num uint64

// Ptr is an address: an object and a cell in it. Objects that New built are
// numbered from 1; a process's own, which no other can reach, from -1 down.
// The zero Ptr is nil.
type Ptr struct{ Obj, Off int32 }

// Slice is a slice of the cells from P on; Len and Cap count elements. If it
// has been grown by append, its capacity is the runtime's choice: Cap or more.
type Slice struct {
	P        Ptr
	Len, Cap int32
	Grown    bool
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

// Opaque stands for a value that is not known, because code made it that is not
// interpreted. Two that differ may stand for equal values or for different ones.
type Opaque struct {
	By string
	ID int32
	// Foreign: if it is an address, what it leads to was made by that code too.
	Foreign bool
}

// Forgotten stands for a value from a forgotten cell: it is assumed that nothing depends
// on what the cell holds.
type Forgotten struct{ Cell Ptr }

// Undecided is the result of an access that depends on what is not known.
type Undecided struct{ Why string }

func (v Opaque) String() string { return "(" + v.By + ")" }

var noClosure = (*Closure)(nil)

// maxCells is how many cells all of a lock's memory may have.
const maxCells = 1 << 24

// layouts answers how types lie in cells.
type layouts struct {
	sizes types.Sizes
	size  map[types.Type]int32
	off   map[*types.Struct][]int32
	words map[types.Type][]word
}

func newLayouts(sizes types.Sizes) *layouts {
	return &layouts{sizes, map[types.Type]int32{}, map[*types.Struct][]int32{}, map[types.Type][]word{}}
}

// isAgg reports whether values of type t are Aggs.
func isAgg(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Tuple:
		return true
	}
	return false
}

// cells returns how many cells a value of type t takes, or maxCells+1 if they
// are too many.
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
		n = times(u.Len(), l.cells(u.Elem()))
	case *types.Tuple:
		n = 0
		for v := range u.Variables() {
			n = min(n+l.cells(v.Type()), maxCells+1)
		}
	}
	l.size[t] = n
	return n
}

// times returns count times size, or maxCells+1 if that is too many.
func times(count int64, size int32) int32 {
	if size > 0 && count > int64(maxCells/size) {
		return maxCells + 1
	}
	return int32(count) * size
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
			offs[i+1] = min(offs[i]+l.cells(f.Type()), maxCells+1)
		}
	}
	l.off[s] = offs
	return offs
}

// fields yields the fields of a struct that take place, all but blank ones, and where
// each begins.
func (l *layouts) fields(s *types.Struct) iter.Seq2[*types.Var, int32] {
	offs := l.offsets(s)
	return func(yield func(*types.Var, int32) bool) {
		for i := range s.NumFields() {
			if f := s.Field(i); f.Name() != "_" && !yield(f, offs[i]) {
				return
			}
		}
	}
}

// cellType returns the type of a cell of a variable of type t. That of an
// atomic.Pointer[T] is a *T.
func (l *layouts) cellType(t types.Type, off int32) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if pkg, name := typeName(t); pkg == "sync/atomic" && name == "Pointer" {
			return u.Field(0).Type().Underlying().(*types.Array).Elem() // struct { _ [0]*T; … }
		}
		offs := l.offsets(u)
		for i := range u.NumFields() {
			if off >= offs[i] && off < offs[i+1] {
				return l.cellType(u.Field(i).Type(), off-offs[i])
			}
		}
	case *types.Array:
		return l.cellType(u.Elem(), off%l.cells(u.Elem()))
	}
	return t
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
		return Opaque{By: "a " + u.Name()}
	case *types.Pointer:
		return Ptr{}
	case *types.Slice:
		return Slice{}
	case *types.Map:
		return Map{}
	case *types.Signature:
		return noClosure
	case *types.Interface:
		return Iface{}
	}
	return Opaque{By: fmt.Sprintf("a %s", t)}
}

// zeros appends the cells of a zero value of type t.
func (l *layouts) zeros(to Agg, t types.Type) Agg {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() { // often run: an iterator takes longer
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

// scalars calls f for each word that a value consists of, or leads to without an
// address: what a function has captured, and what is in an interface.
func scalars(v Value, f func(Value)) {
	switch v := v.(type) {
	case Slice:
		f(v.P)
	case Agg:
		for _, c := range v {
			scalars(c, f)
		}
	case *Closure:
		if v != nil {
			scalars(Agg(v.Free), f)
		}
	case Iface:
		scalars(v.V, f)
	default:
		f(v)
	}
}

// same reports whether two values are the same in every respect.
func same(x, y Value) bool {
	switch x := x.(type) {
	case Agg:
		y, ok := y.(Agg)
		return ok && slices.EqualFunc(x, y, same)
	case *Closure:
		y, ok := y.(*Closure)
		return ok && (x == y || x != nil && y != nil && x.Fn == y.Fn && slices.EqualFunc(x.Free, y.Free, same))
	case Iface:
		y, ok := y.(Iface)
		return ok && x.T == y.T && same(x.V, y.V)
	}
	switch y.(type) {
	case Agg, *Closure, Iface:
		return false
	}
	return x == y
}
