//go:build go1.24

package harness

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// memory is what processes share: what New has built and the variables of
// packages, and whatever these lead to.
type memory struct {
	ranges []extent
	seen   map[place]bool
	// held keeps memory from being freed, and its addresses from being those of
	// other memory.
	held []unsafe.Pointer
}

type extent struct{ from, to uintptr }

type place struct {
	at  unsafe.Pointer
	typ reflect.Type
}

var (
	// watched is the memory in which accesses are stops, nil while a lock is
	// built.
	watched *memory
	// known are variables to which nothing that New returns need lead.
	globals, known []any
	// marked has the types of what addresses lead to that have become an
	// unsafe.Pointer since then.
	marked map[unsafe.Pointer]reflect.Type
)

// Globals makes package-level variables known, by their addresses.
func Globals(vars ...any) { globals = append(globals, vars...) }

// Capture makes variables known that the function f has captured, by their
// addresses, and returns f.
func Capture[F any](f F, vars ...any) F {
	if watched == nil {
		known = append(known, vars...)
	}
	return f
}

// Mark makes known what p points to, which is about to become an
// unsafe.Pointer, and returns p.
func Mark[P any](p P) P {
	if watched == nil {
		known = append(known, p)
	} else if v := reflect.ValueOf(p); v.Kind() == reflect.Pointer && !v.IsNil() {
		marked[v.UnsafePointer()] = v.Type().Elem()
	}
	return p
}

// watch returns the memory that the lock and all known variables lead to.
func watch(lock Lock) *memory {
	m := &memory{seen: map[place]bool{}}
	m.content(reflect.TypeFor[Lock](), unsafe.Pointer(&lock))
	for _, v := range append(globals[:len(globals):len(globals)], known...) {
		m.variable(reflect.TypeOf(v).Elem(), reflect.ValueOf(v).UnsafePointer())
	}
	m.merge()
	return m
}

// share adds the memory that a word of type t leads to, which a process has
// just written.
func (m *memory) share(t reflect.Type, at unsafe.Pointer) {
	if p := *(*unsafe.Pointer)(at); t.Kind() == reflect.UnsafePointer || t == reflect.TypeFor[*byte]() && marked[p] != nil {
		m.variable(marked[p], p)
	} else {
		m.content(t, at)
	}
	m.merge()
}

// merge puts what was added into order. Ranges that overlap become one.
func (m *memory) merge() {
	slices.SortFunc(m.ranges, func(a, b extent) int {
		if a.from < b.from || a.from == b.from && a.to > b.to {
			return -1
		}
		return 1
	})
	merged := m.ranges[:0]
	for _, r := range m.ranges {
		if k := len(merged); k > 0 && r.from <= merged[k-1].to {
			merged[k-1].to = max(merged[k-1].to, r.to)
		} else {
			merged = append(merged, r)
		}
	}
	m.ranges = merged
}

// variable adds a variable and what it leads to.
func (m *memory) variable(t reflect.Type, at unsafe.Pointer) {
	if at == nil || t == nil || m.seen[place{at, t}] {
		return
	}
	m.seen[place{at, t}] = true
	m.held = append(m.held, at)
	if t.Size() > 0 {
		m.ranges = append(m.ranges, extent{uintptr(at), uintptr(at) + t.Size()})
	}
	m.content(t, at)
}

// content adds what a variable leads to.
func (m *memory) content(t reflect.Type, at unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Struct:
		if t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[") {
			m.variable(t.Field(0).Type.Elem().Elem(), *(*unsafe.Pointer)(at)) // of type [0]*T
			return
		}
		for i := range t.NumField() {
			f := t.Field(i)
			m.content(f.Type, unsafe.Add(at, f.Offset))
		}
	case reflect.Array:
		for i := range t.Len() {
			m.content(t.Elem(), unsafe.Add(at, uintptr(i)*t.Elem().Size()))
		}
	case reflect.Pointer:
		m.variable(t.Elem(), *(*unsafe.Pointer)(at))
	case reflect.Slice:
		s := reflect.NewAt(t, at).Elem()
		if s.Cap() > 0 {
			m.variable(reflect.ArrayOf(s.Cap(), t.Elem()), s.UnsafePointer())
		}
	case reflect.Map:
		for _, v := range reflect.NewAt(t, at).Elem().Seq2() {
			boxed := reflect.New(t.Elem())
			boxed.Elem().Set(v)
			m.content(t.Elem(), boxed.UnsafePointer())
		}
	case reflect.Interface:
		if v := reflect.NewAt(t, at).Elem(); !v.IsNil() {
			boxed := reflect.New(v.Elem().Type())
			boxed.Elem().Set(v.Elem())
			m.content(boxed.Type().Elem(), boxed.UnsafePointer())
		}
	}
}

// has reports whether an address is in the memory.
func (m *memory) has(at unsafe.Pointer) bool {
	if m == nil {
		return false
	}
	i, found := slices.BinarySearchFunc(m.ranges, uintptr(at), func(r extent, at uintptr) int {
		if r.from < at {
			return -1
		} else if r.from > at {
			return 1
		}
		return 0
	})
	return found || i > 0 && uintptr(at) < m.ranges[i-1].to
}
