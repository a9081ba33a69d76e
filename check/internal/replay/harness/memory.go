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
	base   *memory // the part that was there before the lock was built
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
	// known are variables to which nothing that New returns need lead, and globals
	// those of packages.
	globals, known []any
	// before is the memory that was there before any lock was built. It stays as it
	// is: a lock that changes it is run in a program of its own.
	before *memory
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

// Bound makes known what the receiver of a method value leads to, and returns the
// receiver.
func Bound[R any](receiver R) R {
	if watched == nil {
		known = append(known, &receiver)
	}
	return receiver
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

// reached returns the memory that variables lead to.
func reached(vars []any) *memory {
	m := &memory{seen: map[place]bool{}}
	for _, v := range vars {
		m.variable(reflect.TypeOf(v).Elem(), reflect.ValueOf(v).UnsafePointer())
	}
	m.merge()
	return m
}

// watch returns the memory that the lock and all known variables lead to.
func watch(lock Lock) *memory {
	m := &memory{base: before, seen: map[place]bool{}}
	m.content(reflect.TypeFor[Lock](), unsafe.Pointer(&lock))
	for _, v := range known {
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
	here := place{at, t}
	if at == nil || t == nil || m.seen[here] || m.base != nil && m.base.seen[here] {
		return
	}
	m.seen[here] = true
	m.held = append(m.held, at)
	if t.Size() > 0 {
		m.ranges = append(m.ranges, extent{uintptr(at), uintptr(at) + t.Size()})
	}
	m.content(t, at)
}

// lead is a word of a variable that leads to more: where it is in the variable.
type lead struct {
	offset uintptr
	typ    reflect.Type
}

// leads has the leads of the types that were met. Memory is gone through anew for
// every schedule.
var leads = map[reflect.Type][]lead{}

func leadsOf(t reflect.Type) []lead {
	all, ok := leads[t]
	if ok {
		return all
	}
	add := func(offset uintptr, t reflect.Type) {
		for _, l := range leadsOf(t) {
			all = append(all, lead{offset + l.offset, l.typ})
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		if isPointer(t) {
			all = []lead{{0, t}}
			break
		}
		for i := range t.NumField() {
			add(t.Field(i).Offset, t.Field(i).Type)
		}
	case reflect.Array:
		for i := range t.Len() {
			if add(uintptr(i)*t.Elem().Size(), t.Elem()); len(all) == 0 {
				break
			}
		}
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		all = []lead{{0, t}}
	}
	leads[t] = all
	return all
}

// isPointer reports whether a type is an atomic.Pointer.
func isPointer(t reflect.Type) bool {
	return t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer[")
}

// content adds what a variable leads to.
func (m *memory) content(t reflect.Type, at unsafe.Pointer) {
	for _, l := range leadsOf(t) {
		m.follow(l.typ, unsafe.Add(at, l.offset))
	}
}

// follow adds what a word leads to.
func (m *memory) follow(t reflect.Type, at unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Struct: // an atomic.Pointer
		m.variable(t.Field(0).Type.Elem().Elem(), *(*unsafe.Pointer)(at)) // of type [0]*T
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
	return found || i > 0 && uintptr(at) < m.ranges[i-1].to || m.base.has(at)
}
