package region_test

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/shm/region/regiontest"
)

// newRegion makes a region that ends with the test.
func newRegion(t *testing.T, size int) *region.Region {
	t.Helper()
	regiontest.Need(t)
	r, err := region.New("", size)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// TestCatalogue moves every lock of the catalog into a region or refuses it with a reason,
// and makes passages in it. The locks that cannot be moved are known by name.
func TestCatalogue(t *testing.T) {
	regiontest.Need(t)
	refused := map[string]string{}
	for _, a := range catalog.All() {
		n := min(4, a.MaxProcs)
		err := region.Movable(a, n)
		if refusal := new(region.Refusal); errors.As(err, &refusal) {
			refused[a.Name] = refusal.Error()
			continue
		}
		require.NoError(t, err, a.Name)
		t.Run(a.Name, func(t *testing.T) { passIn(t, a, n) })
	}
	for _, name := range []string{"baseline/mutex", "baseline/rwmutex", "baseline/channel", "baseline/futex", "abort/tolock"} {
		require.Contains(t, refused, name)
	}
	for name, why := range refused {
		assert.Regexp(t, "^(baseline|delegation)/|^abort/tolock$|^numa/hsynch$", name, why)
	}
}

// passIn makes passages of all processes in a lock in a region, in every mode.
func passIn(t *testing.T, a shm.Algorithm, n int) {
	r := newRegion(t, 1<<22)
	lock, err := a.New(n)
	require.NoError(t, err)
	before := lines(t, lock)
	moved, err := region.Put(r, &lock)
	require.NoError(t, err)
	require.Equal(t, before, lines(t, *moved), "line sharing")
	require.NoError(t, region.Verify(r, moved))
	for range 10 {
		for i := range n {
			for _, mode := range shm.Modes(*moved) {
				require.True(t, mode.Enter(*moved, i, func() bool { return false }))
				mode.Leave(*moved, i)
			}
		}
	}
	require.NoError(t, region.Verify(r, moved))
	again, err := region.Root[shm.Mutex](r, 0)
	require.NoError(t, err)
	require.Same(t, moved, again)
}

// lines describes how the memory of a lock lies: each piece of memory is numbered in the
// order of a walk, and has its offset in its cache line and the number of the first piece
// that has a part of that line. It reads the memory by reflection, and knows nothing of how
// Put copies.
func lines(t *testing.T, lock shm.Mutex) [][2]int {
	t.Helper()
	var all [][2]int
	first := map[uintptr]int{}
	seen := map[uintptr]bool{}
	note := func(address uintptr) {
		if seen[address] {
			return
		}
		seen[address] = true
		l := address / shm.LineBytes
		if _, known := first[l]; !known {
			first[l] = len(all)
		}
		all = append(all, [2]int{int(address % shm.LineBytes), first[l]})
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
			if v.CanAddr() && v.Type().PkgPath() == "sync/atomic" && v.Type().Name()[0] == 'P' { // an atomic.Pointer
				p := *(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr()))
				if p != nil && !seen[uintptr(p)] {
					walk(reflect.NewAt(v.Field(0).Type().Elem(), p).Elem())
				}
			}
		case reflect.Array, reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.Pointer()] {
				walk(v.Elem())
			}
		case reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		default:
			if v.CanAddr() {
				note(v.UnsafeAddr())
			}
		}
	}
	walk(reflect.ValueOf(lock))
	require.NotEmpty(t, all)
	return all
}
