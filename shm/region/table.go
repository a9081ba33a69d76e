package region

import (
	"reflect"
	"unsafe"
)

// table is the method table of an interface value, as internal/abi.ITab has it. The
// compiler writes most tables into the program. The Go runtime makes the others, when the
// program converts one interface type to another, in memory of its own process. Put copies
// those.
type table struct {
	inter, dynamic uintptr    // the addresses of the two types
	_              uint32     // the hash of the dynamic type
	methods        [1]uintptr // as many as the interface type has
}

// tableSize is the size of the method table of an interface type.
func tableSize(t reflect.Type) uintptr {
	return unsafe.Offsetof(table{}.methods) + uintptr(t.NumMethod())*wordBytes
}

// checkTable returns why the memory at an address is not the method table of a dynamic type
// for an interface type. It is one unless another version of Go has other tables.
func (p *program) checkTable(address uintptr, t, dynamic reflect.Type) string {
	const unknown = "this version of Go has method tables that package region does not know"
	tab := at[table](address)
	if tab.dynamic != typeAddress(dynamic) || at[table](address).inter != typeAddress(t) {
		return unknown
	}
	for i := range t.NumMethod() {
		if !p.has(word(address + unsafe.Offsetof(tab.methods) + uintptr(i)*wordBytes)) {
			return unknown
		}
	}
	return ""
}

// typeAddress is the address of what describes a type.
func typeAddress(t reflect.Type) uintptr { return reflect.ValueOf(t).Pointer() }

// direct reports whether an interface value has a value of this type itself, and not a
// pointer to it: it is one pointer.
func direct(t reflect.Type) bool {
	if t.Size() != wordBytes {
		return false
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.Map, reflect.Func, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return direct(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).Type.Size() > 0 {
				return direct(t.Field(i).Type)
			}
		}
	}
	return false
}
