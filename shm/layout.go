package shm

import (
	"fmt"
	"unsafe"
)

// Layout says how a lock's registers lie in memory.
type Layout uint8

const (
	// Packed puts registers next to one another, so that one cache-line transfer brings several.
	Packed Layout = iota
	// Padded gives each register a cache line of its own, so that a write to one does not
	// invalidate the others.
	Padded
)

// String returns "packed" or "padded".
func (l Layout) String() string {
	if l == Padded {
		return "padded"
	}
	return "packed"
}

// MarshalText encodes the layout as its name.
func (l Layout) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText decodes the layout from its name.
func (l *Layout) UnmarshalText(name []byte) error {
	for _, known := range []Layout{Packed, Padded} {
		if known.String() == string(name) {
			*l = known
			return nil
		}
	}
	return fmt.Errorf("there is no layout %q", name)
}

// Variants returns an algorithm's specifications: those of its Layouts, and the one with
// released stores in the default layout, with that appended to the name.
func Variants(spec func(Layout, Stores) Algorithm, byDefault Layout) []Algorithm {
	return append(Layouts(func(l Layout) Algorithm { return spec(l, Sequential) }, byDefault),
		released(func(s Stores) Algorithm { return spec(byDefault, s) }))
}

// BothLayouts returns the specifications of Variants, and the one with released stores in
// the other layout, with the layout and then that appended to the name.
func BothLayouts(spec func(Layout, Stores) Algorithm, byDefault Layout) []Algorithm {
	return append(Variants(spec, byDefault),
		released(func(s Stores) Algorithm { return inLayout(spec(byDefault.other(), s)) }))
}

// Layouts returns the specifications of an algorithm whose stores are all sequentially
// consistent: in its default layout, under its plain name; and in the other, with
// the layout appended to the name.
func Layouts(spec func(Layout) Algorithm, byDefault Layout) []Algorithm {
	return []Algorithm{spec(byDefault), inLayout(spec(byDefault.other()))}
}

// other returns the other layout.
func (l Layout) other() Layout {
	if l == Packed {
		return Padded
	}
	return Packed
}

// inLayout returns the specification with its layout, which is not the default one, in its
// name and title.
func inLayout(a Algorithm) Algorithm {
	a.VariantOf = a.Name
	a.Name += "-" + a.Layout.String()
	a.Title += ", " + a.Layout.String()
	return a
}

// LineBytes is the distance between data that must not share a cache line. It is 128 also on
// machines with lines of 64 bytes, because adjacent-line prefetchers move lines in pairs.
// Apple's arm64 has lines of 128 bytes.
const LineBytes = 128

// Pad, as a struct field, keeps the fields before and after it on different cache lines.
type Pad struct{ _ [LineBytes]byte }

// Array is a fixed sequence of registers of type T in a Layout. A copy of an Array has the
// same registers. In a local variable it is four words that a processor keeps in registers.
// The processor need not load them from the lock again after an atomic operation.
type Array[T any] struct {
	cells  []T // register i is at i * stride
	stride int
}

// NewArray returns length registers of type T, all zero. Padded registers are at least
// LineBytes apart. Packed registers follow one another, and share their lines with nothing
// else.
func NewArray[T any](length int, layout Layout) Array[T] {
	size := int(unsafe.Sizeof(*new(T)))
	perLine := (LineBytes + size - 1) / size
	stride := 1
	if layout == Padded {
		stride = perLine
	}
	lines := (length*stride + perLine - 1) / perLine
	return Array[T]{cells: make([]T, lines*perLine)[:length*stride], stride: stride}
}

// At returns register i.
func (a Array[T]) At(i int) *T { return &a.cells[i*a.stride] }

// Len returns the number of registers.
func (a Array[T]) Len() int { return len(a.cells) / a.stride }
