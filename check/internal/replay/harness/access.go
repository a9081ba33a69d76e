//go:build go1.24

package harness

import (
	"reflect"
	"time"
	"unsafe"

	"shmbench/internal/build/twin"
)

// These functions stand for plain accesses in rewritten source. An access to
// memory that processes share stops; one to a struct or an array stops at each
// of its words in turn, as one to a slice does at each element.

// Read reads a variable, and returns the address of a copy.
func Read[T any](p *T) *T {
	if !watched.has(unsafe.Pointer(p)) {
		v := *p
		return &v
	}
	var v T
	words(reflect.TypeFor[T](), unsafe.Pointer(p), func(t reflect.Type, at unsafe.Pointer) {
		to := reflect.NewAt(t, unsafe.Add(unsafe.Pointer(&v), uintptr(at)-uintptr(unsafe.Pointer(p)))).Elem()
		stop(twin.OpLoad, t, at, func() { to.Set(reflect.NewAt(t, at).Elem()) })
	})
	return &v
}

// Var is a variable that is written.
type Var[T any] struct{ p *T }

// At returns the variable at an address.
func At[T any](p *T) Var[T] { return Var[T]{p} }

// Set writes the variable.
func (x Var[T]) Set(v T) {
	if !watched.has(unsafe.Pointer(x.p)) {
		*x.p = v
		return
	}
	words(reflect.TypeFor[T](), unsafe.Pointer(x.p), func(t reflect.Type, at unsafe.Pointer) {
		from := reflect.NewAt(t, unsafe.Add(unsafe.Pointer(&v), uintptr(at)-uintptr(unsafe.Pointer(x.p)))).Elem()
		stop(twin.OpStore, t, at, func() { reflect.NewAt(t, at).Elem().Set(from) })
	})
}

// As returns v as a value of the variable's type.
func (x Var[T]) As(v T) T { return v }

// Elements returns the addresses of a slice's elements.
func Elements[S ~[]T, T any](s S) []*T {
	all := make([]*T, len(s))
	for i := range s {
		all[i] = &s[i]
	}
	return all
}

// List is a slice that is appended to.
type List[S ~[]T, T any] struct{ s S }

// Slice returns a list.
func Slice[S ~[]T, T any](s S) List[S, T] { return List[S, T]{s} }

// Append appends values: it writes them where there is room, and otherwise
// reads the elements that move.
func (l List[S, T]) Append(more ...T) S {
	more = elements(more)
	n := len(l.s)
	if n+len(more) <= cap(l.s) {
		to := l.s[:n+len(more)]
		for i, v := range more {
			At(&to[n+i]).Set(v)
		}
		return to
	}
	return append(elements(l.s)[:n:n], more...)
}

// Bytes returns the bytes of a string, or a slice of bytes itself.
func Bytes[S ~[]byte | ~string](s S) []byte { return []byte(s) }

// elements returns a copy of a slice with the same room.
func elements[S ~[]T, T any](s S) S {
	if cap(s) == 0 || !watched.has(unsafe.Pointer(unsafe.SliceData(s))) {
		return s
	}
	all := make(S, len(s), cap(s))
	for i := range s {
		all[i] = *Read(&s[i])
	}
	return all
}

// Copy copies elements: it reads them all and then writes them all.
func Copy[D ~[]T, S ~[]T, T any](to D, from S) int {
	n := min(len(to), len(from))
	for i, v := range append([]T(nil), elements(from[:n])...) {
		At(&to[i]).Set(v)
	}
	return n
}

// CopyText copies the bytes of a string, or those of a slice.
func CopyText[D ~[]byte, S ~[]byte | ~string](to D, from S) int { return Copy(to, Bytes(from)) }

// Clear makes a slice's elements zero.
func Clear[S ~[]T, T any](s S) {
	var zero T
	for i := range s {
		At(&s[i]).Set(zero)
	}
}

// Sleep stands for time.Sleep.
func Sleep(time.Duration) {}

// words calls f for each word of a variable, in the order in which they lie;
// blank fields are none.
func words(t reflect.Type, at unsafe.Pointer, f func(t reflect.Type, at unsafe.Pointer)) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if field := t.Field(i); field.Name != "_" {
				words(field.Type, unsafe.Add(at, field.Offset), f)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			words(t.Elem(), unsafe.Add(at, uintptr(i)*t.Elem().Size()), f)
		}
	default:
		f(t, at)
	}
}
