//go:build go1.24

package harness

import (
	"reflect"
	"unsafe"

	"shmbench/internal/build/twin"
)

// Value is what a word holds.
type Value struct {
	Kind Kind
	// Bits is a number, sign-extended if it is signed, or the address that a pointer or a
	// slice leads to. For a value that can only be nil or not, it is 0 or 1.
	Bits     uint64
	Len, Cap int
	Text     string
}

// Kind says what kind of value a Value is.
type Kind uint8

// The kinds. The harness knows of a value of kind Other only whether it is nil.
const (
	Number Kind = iota
	Address
	Slices
	Sizeless // a slice of elements without size, which lie anywhere
	Text
	Other
)

// nothing is where all variables without a size may lie.
var nothing = unsafe.Pointer(new(struct{}))

// valueOf returns what a word of that type holds.
func valueOf(t reflect.Type, at unsafe.Pointer) Value {
	v := reflect.NewAt(t, at).Elem()
	switch {
	case v.Kind() == reflect.Bool:
		return Value{Bits: bit(v.Bool())}
	case v.CanInt():
		return Value{Bits: uint64(v.Int())}
	case v.CanUint():
		return Value{Bits: v.Uint()}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.UnsafePointer:
		if v.UnsafePointer() == nothing {
			return Value{Kind: Other, Bits: 1}
		}
		return Value{Kind: Address, Bits: uint64(uintptr(v.UnsafePointer()))}
	case reflect.Slice:
		if t.Elem().Size() == 0 {
			return Value{Kind: Sizeless, Bits: bit(!v.IsNil()), Len: v.Len(), Cap: v.Cap()}
		}
		return Value{Kind: Slices, Bits: uint64(uintptr(v.UnsafePointer())), Len: v.Len(), Cap: v.Cap()}
	case reflect.String:
		return Value{Kind: Text, Text: v.String()}
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.Map:
		if v.IsNil() {
			return Value{Kind: Other}
		}
	}
	return Value{Kind: Other, Bits: 1}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// atomicValue is a value as the twin tells it.
func atomicValue(a twin.Access, bits uint64) Value {
	switch {
	case a.Type.Kind() != reflect.Pointer:
		return Value{Bits: bits}
	case bits == uint64(uintptr(nothing)):
		return Value{Kind: Other, Bits: 1}
	}
	return Value{Kind: Address, Bits: bits}
}
