package compiled

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/interp"
	"shmbench/check/internal/replay/harness"
)

// TestSame: a value of the compiled code is that of the interpreter if the kind and all its parts
// are the same. An address is the same as any pointer, as long as neither is known from before.
func TestSame(t *testing.T) {
	address, other, text := harness.Value{Kind: harness.Address, Bits: 64}, harness.Value{Kind: harness.Other, Bits: 1}, harness.Value{Kind: harness.Text, Text: "a"}
	slice, sizeless := harness.Value{Kind: harness.Slices, Bits: 64, Len: 2, Cap: 3}, harness.Value{Kind: harness.Sizeless, Bits: 1, Len: 2, Cap: 3}
	shared, own := interp.Ptr{Obj: 1}, interp.Ptr{Obj: -1}
	none := harness.Value{Kind: harness.Other}
	for _, c := range []struct {
		name string
		got  harness.Value
		want interp.Value
		same bool
	}{
		{"number", harness.Value{Bits: 5}, interp.Num(5), true},
		{"another number", harness.Value{Bits: 5}, interp.Num(6), false},
		{"an address for a number", address, interp.Num(64), false},
		{"pointer", address, shared, true},
		{"nil", harness.Value{Kind: harness.Address}, interp.Ptr{}, true},
		{"an address for nil", address, interp.Ptr{}, false},
		{"nil for a pointer", harness.Value{Kind: harness.Address}, shared, false},
		{"a number for a pointer", harness.Value{Bits: 64}, shared, false},
		{"pointer to a process's own object", address, own, true},
		{"nil for a pointer to a process's own object", harness.Value{Kind: harness.Address}, own, false},
		{"pointer without an address", other, shared, true},
		{"nil without an address for a pointer", none, shared, false},
		{"pointer without an address for nil", other, interp.Ptr{}, false},
		{"slice", slice, interp.Slice{P: shared, Len: 2, Cap: 3}, true},
		{"slice at another place", slice, interp.Slice{Len: 2, Cap: 3}, false},
		{"slice of another length", slice, interp.Slice{P: shared, Len: 1, Cap: 3}, false},
		{"slice of a larger capacity", slice, interp.Slice{P: shared, Len: 2, Cap: 2}, false},
		{"slice of a larger capacity by append", slice, interp.Slice{P: shared, Len: 2, Cap: 2, Grown: true}, true},
		{"slice of a smaller capacity by append", slice, interp.Slice{P: shared, Len: 2, Cap: 4, Grown: true}, false},
		{"slice without room at another place", harness.Value{Kind: harness.Slices, Bits: 64}, interp.Slice{}, true},
		{"an address for a slice", harness.Value{Kind: harness.Address, Bits: 64, Len: 2, Cap: 3}, interp.Slice{P: shared, Len: 2, Cap: 3}, false},
		{"slice without element size", sizeless, interp.Slice{P: shared, Len: 2, Cap: 9}, true},
		{"slice without element size for nil", sizeless, interp.Slice{Len: 2}, false},
		{"slice without element size of another length", sizeless, interp.Slice{P: shared, Len: 1}, false},
		{"text", text, "a", true},
		{"another text", text, "b", false},
		{"no text", other, "", false},
		{"function", other, new(interp.Closure), true},
		{"nil function", none, (*interp.Closure)(nil), true},
		{"function for nil", other, (*interp.Closure)(nil), false},
		{"nil for a function", none, new(interp.Closure), false},
		{"a number for a function", harness.Value{Bits: 1}, new(interp.Closure), false},
		{"nil interface", none, interp.Iface{}, true},
		{"interface for nil", other, interp.Iface{}, false},
		{"a number for a nil interface", harness.Value{}, interp.Iface{}, false},
		{"not known", text, interp.Opaque{}, true},
	} {
		require.Equal(t, c.same, newPairs().same(c.got, c.want), c.name)
	}

	p := newPairs()
	require.True(t, p.same(address, shared))
	require.True(t, p.same(address, shared), "the same address again")
	require.False(t, p.same(address, interp.Ptr{Obj: 2}), "the address of another object")
	require.False(t, p.same(harness.Value{Kind: harness.Address, Bits: 72}, shared), "another address of the object")
	require.True(t, p.same(address, own), "the objects of a process's own have no fixed number")
}
