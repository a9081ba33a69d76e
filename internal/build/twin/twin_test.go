package twin_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/twin"
	"shmbench/shm/register"
)

// TestAPI: whatever sync/atomic and package register export, the twin has with
// the same signature and, on every platform, in the same size.
func TestAPI(t *testing.T) {
	for path, without := range map[string][]string{"sync/atomic": {"StoreRelease", "StoreReleaseIf", "StoreFencedIf"}, "shmbench/shm/register": nil} {
		testAPI(t, path, without)
	}
}

// testAPI compares the twin with a package that is without some of its methods.
func testAPI(t *testing.T, path string, without []string) {
	from := importer.ForCompiler(token.NewFileSet(), "source", nil)
	original, err := from.Import(path)
	require.NoError(t, err)
	copied, err := from.Import("shmbench/internal/build/twin")
	require.NoError(t, err)
	types64, types32 := types.SizesFor("gc", "amd64"), types.SizesFor("gc", "386")
	for _, name := range original.Scope().Names() {
		a, b := original.Scope().Lookup(name), copied.Scope().Lookup(name)
		if !a.Exported() {
			continue
		}
		require.NotNil(t, b, name)
		if _, isType := a.(*types.TypeName); !isType {
			require.True(t, types.Identical(a.Type(), b.Type()), name)
			continue
		}
		at, bt := instance(t, a.Type()), instance(t, b.Type())
		have := methods(bt)
		for _, method := range without {
			delete(have, method)
		}
		require.Equal(t, methods(at), have, name)
		for _, sizes := range []types.Sizes{types64, types32} {
			require.Equal(t, sizes.Sizeof(at), sizes.Sizeof(bt), name)
			require.Equal(t, sizes.Alignof(at), sizes.Alignof(bt), name)
		}
	}
}

// instance returns a type itself, or that for int if it is generic.
func instance(t *testing.T, typ types.Type) types.Type {
	if g, ok := typ.(interface{ TypeParams() *types.TypeParamList }); !ok || g.TypeParams().Len() == 0 {
		return typ
	}
	typ, err := types.Instantiate(nil, typ, []types.Type{types.Typ[types.Int]}, true)
	require.NoError(t, err)
	return typ
}

// methods returns the exported methods of a pointer to a type, and their
// parameters and results.
func methods(t types.Type) map[string]string {
	all := map[string]string{}
	set := types.NewMethodSet(types.NewPointer(t))
	for i := range set.Len() {
		if m := set.At(i); m.Obj().Exported() {
			sig := m.Type().(*types.Signature)
			all[m.Obj().Name()] = unnamed(sig.Params()) + unnamed(sig.Results())
		}
	}
	return all
}

func unnamed(vars *types.Tuple) string {
	var names []string
	for v := range vars.Variables() {
		names = append(names, types.Unalias(v.Type()).String())
	}
	return "(" + strings.Join(names, ", ") + ")"
}

type word[T any] interface {
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
}

// sameWord makes the accesses of all words on a twin and its original, and
// wants the same results.
func sameWord[T any](t *testing.T, original, copied word[T], x, y T) {
	for _, w := range []word[T]{original, copied} {
		w.Store(x)
		require.Equal(t, x, w.Swap(y))
		require.False(t, w.CompareAndSwap(x, y))
		require.True(t, w.CompareAndSwap(y, x))
		require.Equal(t, x, w.Load())
	}
}

type released[T any] interface {
	word[T]
	StoreRelease(T)
	StoreReleaseIf(released bool, v T)
	StoreFencedIf(released bool, v T)
}

// sameStores does with released stores as sameWord does.
func sameStores[T any](t *testing.T, original, copied released[T], x, y T) {
	for _, w := range []released[T]{original, copied} {
		w.StoreRelease(x)
		require.Equal(t, x, w.Load())
		for _, if_ := range []bool{true, false} {
			w.StoreReleaseIf(if_, y)
			require.Equal(t, y, w.Load())
			w.StoreFencedIf(if_, x)
			require.Equal(t, x, w.Load())
			w.StoreRelease(x)
			require.Equal(t, x, w.Swap(x))
		}
	}
}

type number[T any] interface {
	word[T]
	Add(T) T
	And(T) T
	Or(T) T
}

func sameNumber[T int32 | int64 | uint32 | uint64 | uintptr](t *testing.T, original, copied number[T]) {
	sameWord(t, original, copied, 6, 12)
	for _, delta := range []T{3, 10, 1, ^T(0)} {
		require.Equal(t, original.Add(delta), copied.Add(delta))
		require.Equal(t, original.Or(delta), copied.Or(delta))
		require.Equal(t, original.Add(delta), copied.Add(delta))
		require.Equal(t, original.And(delta), copied.And(delta))
	}
}

// TestValues: an operation does on a twin what it does on the original.
func TestValues(t *testing.T) {
	sameNumber(t, new(atomic.Int32), new(twin.Int32))
	sameNumber(t, new(atomic.Int64), new(twin.Int64))
	sameNumber(t, new(atomic.Uint32), new(twin.Uint32))
	sameNumber(t, new(atomic.Uint64), new(twin.Uint64))
	sameNumber(t, new(atomic.Uintptr), new(twin.Uintptr))
	sameWord(t, new(atomic.Bool), new(twin.Bool), true, false)
	sameWord(t, new(atomic.Pointer[int]), new(twin.Pointer[int]), new(int), new(int))
	sameWord[any](t, new(atomic.Value), new(twin.Value), 6, 12)

	sameStores(t, new(register.Bool), new(twin.Bool), true, false)
	sameStores(t, new(register.Int32), new(twin.Int32), 6, -12)
	sameStores(t, new(register.Int64), new(twin.Int64), 6, -12)
	sameStores(t, new(register.Uint32), new(twin.Uint32), 6, 12)
	sameStores(t, new(register.Uint64), new(twin.Uint64), 6, 12)

	var u uint32
	twin.StoreUint32(&u, 6)
	require.Equal(t, uint32(6), twin.SwapUint32(&u, 12))
	require.Equal(t, uint32(15), twin.AddUint32(&u, 3))
	require.Equal(t, uint32(15), twin.AndUint32(&u, 10))
	require.Equal(t, uint32(10), twin.OrUint32(&u, 1))
	require.True(t, twin.CompareAndSwapUint32(&u, 11, 4))
	require.Equal(t, uint32(4), twin.LoadUint32(&u))

	var p unsafe.Pointer
	q := unsafe.Pointer(new(int))
	twin.StorePointer(&p, q)
	require.Equal(t, q, twin.SwapPointer(&p, nil))
	require.True(t, twin.CompareAndSwapPointer(&p, nil, q))
	require.Equal(t, q, twin.LoadPointer(&p))
}

// TestHooks: each access is told of once before it is made and once after,
// with what it does.
func TestHooks(t *testing.T) {
	defer func() { twin.Before, twin.After = nil, nil }()
	type seen struct {
		access        twin.Access
		before, after uint64
	}
	var w twin.Int32
	var b twin.Bool
	var p twin.Pointer[int]
	var plain uint64
	i := new(int)
	at := func(op twin.Op, addr unsafe.Pointer, typ reflect.Type) twin.Access {
		return twin.Access{Op: op, Addr: addr, Type: typ}
	}
	release := at(twin.OpStoreRelease, unsafe.Pointer(&w), reflect.TypeFor[int32]())
	want := []seen{
		{at(twin.OpStore, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 0, 1<<64 - 2},
		{at(twin.OpAdd, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 1<<64 - 2, 3},
		{at(twin.OpAnd, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 3, 1},
		{at(twin.OpOr, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 1, 5},
		{at(twin.OpCompareAndSwap, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 5, 5},
		{at(twin.OpLoad, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 5, 5},
		{at(twin.OpSwap, unsafe.Pointer(&b), reflect.TypeFor[bool]()), 0, 1},
		{at(twin.OpStore, unsafe.Pointer(&p), reflect.TypeFor[*int]()), 0, uint64(uintptr(unsafe.Pointer(i)))},
		{at(twin.OpAdd, unsafe.Pointer(&plain), reflect.TypeFor[uint64]()), 0, 7},
		{release, 5, 8},
		{release, 8, 9},
		{at(twin.OpStore, unsafe.Pointer(&w), reflect.TypeFor[int32]()), 9, 10},
	}
	var before []twin.Access
	var after []seen
	twin.Before = func(a twin.Access) {
		require.Len(t, after, len(before), "the access before has been made")
		before = append(before, a)
	}
	twin.After = func(a twin.Access, x, y uint64) { after = append(after, seen{a, x, y}) }
	w.Store(-2)
	w.Add(5)
	w.And(1)
	w.Or(4)
	w.CompareAndSwap(1, 9)
	w.Load()
	b.Swap(true)
	p.Store(i)
	twin.AddUint64(&plain, 7)
	w.StoreRelease(8)
	w.StoreReleaseIf(true, 9)
	w.StoreReleaseIf(false, 10)
	require.Equal(t, want, after)
	for k, s := range want {
		require.Equal(t, s.access, before[k])
	}
}

// TestWaits: the hook hears of each poll that fails, and of no wait whose first poll succeeds.
func TestWaits(t *testing.T) {
	defer func() { twin.Paused = nil }()
	left := 3
	cond := func() bool { left--; return left < 0 }
	twin.Until(cond)
	require.Equal(t, -1, left)
	paused := 0
	twin.Paused = func() { paused++ }
	left = 3
	twin.Until(cond)
	require.Equal(t, 3, paused)
	twin.Until(func() bool { return true })
	require.Equal(t, 3, paused)
	twin.Pause()
	require.Equal(t, 4, paused)
}

// TestReplaced: an overlay puts the twin in the place of the packages of words, and of package spin if the program hears of waits.
func TestReplaced(t *testing.T) {
	require.Equal(t, map[string]string{"sync/atomic": "a/twin", "shmbench/shm/register": "a/twin"}, twin.Replaced("a/twin"))
	require.Equal(t, map[string]string{"sync/atomic": "a/twin", "shmbench/shm/register": "a/twin", "shmbench/shm/spin": "a/twin"}, twin.Waiting("a/twin"))
	for _, file := range []string{"twin.go", "functions.go", "wait.go"} {
		text, err := twin.Source.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "package twin")
	}
}
