package region

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// place is memory of a type.
type place struct {
	address uintptr
	t       reflect.Type
}

// walker goes through an object and all that it points to.
type walker struct {
	program *program
	seen    map[place]bool
	// reach is called before the walker reads memory that a pointer leads to; slot is where
	// the pointer is. An error ends the walk.
	reach func(slot, address, size uintptr) string
	deep  map[reflect.Type]bool // whether values of a type have to be looked at
}

func newWalker(p *program, reach func(slot, address, size uintptr) string) *walker {
	return &walker{program: p, seen: map[place]bool{}, reach: reach, deep: map[reflect.Type]bool{}}
}

const wordBytes = unsafe.Sizeof(uintptr(0))

// word returns the word at an address.
func word(address uintptr) uintptr { return *at[uintptr](address) }

// at returns the value at an address.
func at[T any](address uintptr) *T {
	return *(**T)(unsafe.Pointer(&address)) // the address is of memory that stays: see copier
}

// value goes through the value of type t at an address.
func (w *walker) value(path string, address uintptr, t reflect.Type) error {
	if w.seen[place{address, t}] || !w.toLookAt(t) {
		return nil
	}
	w.seen[place{address, t}] = true
	if ofSync(t) {
		return refuse(path, t, whySync)
	}
	if element, ok := atomicPointer(t); ok {
		return w.pointer(path, address, t, element)
	}
	switch t.Kind() {
	case reflect.Array:
		return w.elements(path, address, t.Elem(), t.Len())
	case reflect.Struct:
		return w.fields(path, address, t)
	case reflect.Pointer:
		return w.pointer(path, address, t, t.Elem())
	case reflect.Slice:
		return w.slice(path, address, t)
	case reflect.String:
		_, err := w.follow(path, address, t, uintptr(len(*at[string](address))))
		return err
	case reflect.Interface:
		return w.iface(path, address, t)
	}
	if why := notShared[t.Kind()]; why != "" && word(address) != 0 {
		return refuse(path, t, why)
	}
	return nil
}

// notShared are the kinds of words that mean something in one process only.
var notShared = map[reflect.Kind]string{
	reflect.Chan: whyChannel, reflect.Map: whyMap, reflect.Func: whyFunc,
	reflect.Uintptr: whyUintptr, reflect.UnsafePointer: whyUnsafe,
}

// follow reaches for the memory that the pointer in a slot leads to, and returns its address.
func (w *walker) follow(path string, slot uintptr, t reflect.Type, size uintptr) (uintptr, error) {
	address := word(slot)
	if address == 0 {
		return 0, nil
	}
	if why := w.reach(slot, address, size); why != "" {
		return 0, refuse(path, t, why)
	}
	return address, nil
}

func (w *walker) pointer(path string, slot uintptr, t, element reflect.Type) error {
	address, err := w.follow(path, slot, t, element.Size())
	if err != nil || address == 0 {
		return err
	}
	return w.value(path, address, element)
}

func (w *walker) slice(path string, slot uintptr, t reflect.Type) error {
	capacity := at[[]byte](slot) // of another type, with the same header
	n := cap(*capacity)
	address, err := w.follow(path, slot, t, uintptr(n)*t.Elem().Size())
	if err != nil || address == 0 {
		return err
	}
	return w.elements(path, address, t.Elem(), n)
}

func (w *walker) elements(path string, address uintptr, t reflect.Type, n int) error {
	if !w.toLookAt(t) {
		return nil
	}
	for i := range n {
		if err := w.value(fmt.Sprintf("%s[%d]", path, i), address+uintptr(i)*t.Size(), t); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) fields(path string, address uintptr, t reflect.Type) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if err := w.value(path+"."+f.Name, address+f.Offset, f.Type); err != nil {
			return err
		}
	}
	return nil
}

// iface goes through an interface value: its first word is the type, or a table of methods,
// and the second is a pointer to the value, or the value itself if that is a pointer.
func (w *walker) iface(path string, slot uintptr, t reflect.Type) error {
	first := word(slot)
	if first == 0 {
		return nil
	}
	if t.NumMethod() > 0 && !w.program.has(first) {
		if why := w.reach(slot, first, tableSize(t)); why != "" {
			return refuse(path, t, why)
		}
	}
	dynamic := reflect.NewAt(t, unsafe.Pointer(at[byte](slot))).Elem().Elem().Type()
	if !w.program.has(typeAddress(dynamic)) {
		return refuse(path, dynamic, whyType)
	}
	if t.NumMethod() > 0 {
		if why := w.program.checkTable(first, t, dynamic); why != "" {
			return refuse(path, t, why)
		}
	}
	data := slot + wordBytes
	if direct(dynamic) {
		return w.value(path, data, dynamic)
	}
	address, err := w.follow(path, data, dynamic, dynamic.Size())
	if err != nil || address == 0 {
		return err
	}
	return w.value(path, address, dynamic)
}

// toLookAt reports whether values of type t can have a pointer or a thing to refuse.
func (w *walker) toLookAt(t reflect.Type) bool {
	look, known := w.deep[t]
	if known {
		return look
	}
	switch t.Kind() {
	case reflect.Array:
		look = t.Len() > 0 && w.toLookAt(t.Elem())
	case reflect.Struct:
		look = ofSync(t)
		for i := range t.NumField() {
			look = w.toLookAt(t.Field(i).Type) || look
		}
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Interface:
		look = true
	default:
		look = notShared[t.Kind()] != ""
	}
	w.deep[t] = look
	return look
}

// ofSync reports whether t is a struct of package sync, whose methods wait in the Go runtime.
func ofSync(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && (t.PkgPath() == "sync" || t.PkgPath() == "internal/sync")
}

// atomicPointer returns what an atomic.Pointer points to, if t is one.
func atomicPointer(t reflect.Type) (reflect.Type, bool) {
	if t.PkgPath() != "sync/atomic" || !strings.HasPrefix(t.Name(), "Pointer[") {
		return nil, false
	}
	return t.Field(0).Type.Elem(), true // the field is _ [0]*T
}
