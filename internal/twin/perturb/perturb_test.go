package perturb_test

import (
	"reflect"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"shmbench/internal/twin/perturb"
)

// TestTwin: each type has the methods of its original, with the same
// signatures, and its size and alignment.
func TestTwin(t *testing.T) {
	for _, pair := range [][2]any{
		{new(atomic.Bool), new(perturb.Bool)},
		{new(atomic.Int32), new(perturb.Int32)},
		{new(atomic.Int64), new(perturb.Int64)},
		{new(atomic.Uint32), new(perturb.Uint32)},
		{new(atomic.Uint64), new(perturb.Uint64)},
		{new(atomic.Uintptr), new(perturb.Uintptr)},
		{new(atomic.Pointer[int]), new(perturb.Pointer[int])},
	} {
		original, twin := reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1])
		require.Equal(t, original.Elem().Size(), twin.Elem().Size(), twin)
		require.Equal(t, original.Elem().Align(), twin.Elem().Align(), twin)
		require.Equal(t, original.NumMethod(), twin.NumMethod(), twin)
		for i := range original.NumMethod() {
			a, b := original.Method(i), twin.Method(i)
			require.Equal(t, a.Name, b.Name, twin)
			require.Equal(t, reflect.ValueOf(pair[0]).Method(i).Type(), reflect.ValueOf(pair[1]).Method(i).Type(), "%v.%s", twin, b.Name)
		}
	}
}

// TestValues: an operation does on a twin what it does on the original.
func TestValues(t *testing.T) {
	var w perturb.Uint32
	w.Store(6)
	require.Equal(t, uint32(6), w.Swap(12))
	require.Equal(t, uint32(15), w.Add(3))
	require.Equal(t, uint32(15), w.And(10))
	require.Equal(t, uint32(10), w.Or(1))
	require.False(t, w.CompareAndSwap(10, 1))
	require.True(t, w.CompareAndSwap(11, 1))
	require.Equal(t, uint32(1), w.Load())

	var b perturb.Bool
	require.False(t, b.Swap(true))
	require.True(t, b.Load())

	var p perturb.Pointer[int]
	i := new(int)
	require.True(t, p.CompareAndSwap(nil, i))
	require.Same(t, i, p.Swap(nil))
	require.Equal(t, unsafe.Sizeof(i), unsafe.Sizeof(p))
}
