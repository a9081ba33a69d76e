package shm_test

import (
	"encoding/json"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

func distance[T any](a *shm.Array[T], i, j int) uintptr {
	return uintptr(unsafe.Pointer(a.At(j))) - uintptr(unsafe.Pointer(a.At(i)))
}

func TestPackedRegistersAreNeighbours(t *testing.T) {
	a := shm.NewArray[atomic.Uint32](3, shm.Packed)
	require.Equal(t, 3, a.Len())
	require.Equal(t, uintptr(4), distance(&a, 0, 1))
	require.Equal(t, uintptr(4), distance(&a, 1, 2))
}

func TestPaddedRegistersShareNoLine(t *testing.T) {
	words := shm.NewArray[atomic.Uint64](3, shm.Padded)
	require.Equal(t, 3, words.Len())
	require.Equal(t, uintptr(shm.LineBytes), distance(&words, 0, 1))

	type odd [3]uint64 // 24 bytes do not divide a line
	odds := shm.NewArray[odd](3, shm.Padded)
	require.GreaterOrEqual(t, distance(&odds, 0, 1), uintptr(shm.LineBytes))
}

// Two packed arrays must not meet on one line either, or the layout of one
// lock would be measured together with its neighbor's.
func TestPackedArraysFillWholeLines(t *testing.T) {
	const arrays = 64
	lines := map[uintptr]bool{}
	for range arrays {
		a := shm.NewArray[atomic.Uint32](2, shm.Packed)
		lines[uintptr(unsafe.Pointer(a.At(0)))/shm.LineBytes] = true
		t.Cleanup(func() { a.At(0).Store(1) }) // keeps a alive
	}
	require.Len(t, lines, arrays)
}

// The room behind the last register, up to the end of its line, is no process's.
func TestArrayEndsWithItsLastRegister(t *testing.T) {
	for _, layout := range []shm.Layout{shm.Packed, shm.Padded} {
		a := shm.NewArray[atomic.Uint32](3, layout)
		require.NotPanics(t, func() { a.At(2) })
		require.Panics(t, func() { a.At(3) })
		require.Panics(t, func() { a.At(-1) })
	}
}

func TestArrayOfNoRegisters(t *testing.T) {
	for _, layout := range []shm.Layout{shm.Packed, shm.Padded} {
		a := shm.NewArray[atomic.Bool](0, layout)
		require.Zero(t, a.Len())
	}
}

func TestVariantsNameTheOtherLayoutAndTheReleasedStores(t *testing.T) {
	spec := func(l shm.Layout, s shm.Stores) shm.Algorithm {
		return shm.Algorithm{Name: "f/lock", Title: "Lock", Layout: l, Stores: s}
	}
	for byDefault, other := range map[shm.Layout]shm.Layout{shm.Packed: shm.Padded, shm.Padded: shm.Packed} {
		v := shm.Variants(spec, byDefault)
		require.Len(t, v, 3)
		require.Equal(t, shm.Algorithm{Name: "f/lock", Title: "Lock", Layout: byDefault}, v[0])
		require.Equal(t, "f/lock-"+other.String(), v[1].Name)
		require.Equal(t, "f/lock", v[1].VariantOf)
		require.Equal(t, other, v[1].Layout)
		require.Equal(t, shm.Sequential, v[1].Stores)
		require.Equal(t, shm.Algorithm{
			Name: "f/lock-released", VariantOf: "f/lock", Title: "Lock, released stores", Layout: byDefault, Stores: shm.Released,
		}, v[2])
		both := shm.BothLayouts(spec, byDefault)
		require.Equal(t, v, both[:3])
		require.Equal(t, []shm.Algorithm{{
			Name: "f/lock-" + other.String() + "-released", VariantOf: "f/lock",
			Title: "Lock, " + other.String() + ", released stores", Layout: other, Stores: shm.Released,
		}}, both[3:])
	}
}

func TestFormsOfALockWithOneLayout(t *testing.T) {
	v := shm.Forms(func(s shm.Stores) shm.Algorithm { return shm.Algorithm{Name: "f/lock", Title: "Lock", Stores: s} })
	require.Equal(t, []shm.Algorithm{
		{Name: "f/lock", Title: "Lock"},
		{Name: "f/lock-released", VariantOf: "f/lock", Title: "Lock, released stores", Stores: shm.Released},
	}, v)
}

func TestSpecificationAsJSON(t *testing.T) {
	spec := shm.Algorithm{
		Name:     "f/lock",
		Title:    "Lock",
		Source:   shm.Source{Author: "A", Title: "T", Venue: "V", Year: 1999, Page: "1-2"},
		Class:    shm.Swap | shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: 2,
		Claims:   shm.Claims{DeadlockFree: true, Bypass: shm.NMinus1, Doorway: "2", LocalSpin: shm.LocalSpin{CC: true}},
		Space:    shm.Space{{Name: "want", Count: shm.N, Values: shm.Const(2), SingleWriter: true}},
		Layout:   shm.Padded,
		Stores:   shm.Released,
	}
	got, err := json.Marshal(spec)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"name": "f/lock", "title": "Lock",
		"source": {"author": "A", "title": "T", "venue": "V", "year": 1999, "page": "1-2"},
		"class": "swap+compare-and-swap", "min_procs": 1, "max_procs": 2,
		"claims": {"deadlock_free": true, "starvation_free": false, "bypass": "n-1", "fcfs": false, "doorway": "2", "local_spin": {"cc": true, "dsm": false}},
		"space": [{"name": "want", "count": "n", "values": "2", "single_writer": true}],
		"layout": "padded", "stores": "released"}`, string(got))
	require.Equal(t, `A, "T", V, 1999, p. 1-2`, spec.Source.String())
	require.Equal(t, `A, "T", V, 2019, article 12`, shm.Source{Author: "A", Title: "T", Venue: "V", Year: 2019, Page: "article 12"}.String())
}

func TestFormulas(t *testing.T) {
	require.Equal(t, shm.Unbounded, shm.Formula{}.Of(4))
	require.Equal(t, "unbounded", shm.Formula{}.String())
	require.Equal(t, 3, shm.NMinus1.Of(4))
	require.Equal(t, 1, shm.TwoProcs.Of(2))
	require.Equal(t, shm.Unbounded, shm.TwoProcs.Of(3))
	space := shm.Space{{Name: "a", Count: shm.N, Values: shm.Const(2)}, {Name: "b", Count: shm.Const(1), Values: shm.N}}
	require.Equal(t, 5, space.Count(4))
	require.True(t, space.Bounded(4))
	require.False(t, append(space, shm.Registers{Name: "c", Count: shm.Const(1)}).Bounded(4))
	allocated := append(space, shm.Registers{Name: "c", Values: shm.Const(2)})
	require.False(t, allocated.Bounded(4))
	require.Equal(t, shm.Unbounded, allocated.Count(4))
}

// A number of processes at either end of the range is in it.
func TestCheckProcsTakesItsEnds(t *testing.T) {
	for n, ok := range map[int]bool{1: false, 2: true, 3: true, 4: true, 5: false} {
		err := shm.CheckProcs("a/b", n, 2, 4)
		if ok {
			require.NoError(t, err)
		} else {
			require.Equal(t, &shm.ProcsError{Algorithm: "a/b", N: n, Min: 2, Max: 4}, err)
		}
	}
}
