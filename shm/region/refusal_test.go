package region_test

import (
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"shmbench/locks/baseline"
	"shmbench/shm"
	"shmbench/shm/region"
	"shmbench/tas"
)

// inner has a value that Put looks at, behind a pointer, an element and a field.
type inner[T any] struct {
	N     int
	Value T
}

type outer[T any] struct{ items []*inner[T] }

// put puts a value into a region, at outer.items[1].Value.
func put[T any](r *region.Region, value T) error {
	_, err := region.Put(r, &outer[T]{[]*inner[T]{nil, {1, value}}})
	return err
}

// TestRefused: Put refuses what works in one process only, and says where it is and why. It
// takes the zero value of the same type where that is harmless.
func TestRefused(t *testing.T) {
	r := newRegion(t, 1<<20)
	made := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "Unlisted", Type: reflect.TypeFor[int]()}})).Interface()
	for _, c := range []struct {
		what          string
		refused, zero error
		why           string
	}{
		{"channel", put(r, make(chan int)), put(r, (chan int)(nil)), "a channel connects"},
		{"map", put(r, map[int]int{}), put(r, map[int]int(nil)), "a map has"},
		{"function", put(r, func() {}), put(r, (func())(nil)), "a function may have variables"},
		{"uintptr", put(r, uintptr(7)), put(r, uintptr(0)), "a nonzero uintptr"},
		{"pointer", put(r, unsafe.Pointer(r)), put(r, unsafe.Pointer(nil)), "unsafe.Pointer"},
		{"behind an interface", put(r, any(make(chan int))), put(r, any(nil)), "a channel connects"},
		{"a type made by reflection", put(r, made), put(r, any(new(struct{ A int }))), "made while the program ran"},
	} {
		t.Run(c.what, func(t *testing.T) {
			require.NoError(t, c.zero)
			refusal := new(region.Refusal)
			require.ErrorAs(t, c.refused, &refusal)
			require.Regexp(t, `^region_test\.outer\[.*\]\.items\[1\]\.Value$`, refusal.Path)
			require.Contains(t, refusal.Why, c.why)
		})
	}
}

// TestRefusedSync: values of package sync are refused, also zero ones.
func TestRefusedSync(t *testing.T) {
	r := newRegion(t, 1<<20)
	for _, err := range []error{put(r, sync.Mutex{}), put(r, sync.RWMutex{}), put(r, sync.WaitGroup{}), put(r, new(sync.Once)), put(r, sync.Locker(new(sync.Mutex)))} {
		refusal := new(region.Refusal)
		require.ErrorAs(t, err, &refusal)
		require.Contains(t, refusal.Why, "package sync")
	}
}

// allocating is a lock whose passages allocate.
type allocating struct{ last atomic.Pointer[int] }

func (l *allocating) Lock(i int)   { l.last.Store(&i) }
func (l *allocating) Unlock(i int) {}

// delegating is a lock whose requests other processes execute.
type delegating struct{ none }

func (*delegating) Delegate() shm.Delegate { return shm.Delegated(none{}) }

// TestRefusedLocks: Movable refuses class Opaque and locks that allocate. Verify finds what
// a passage has allocated.
func TestRefusedLocks(t *testing.T) {
	r := newRegion(t, 1<<20)
	require.NoError(t, region.Movable(tas.TAS(shm.Sequential), 2))

	refusal := new(region.Refusal)
	opaque := tas.TAS(shm.Sequential)
	opaque.Class |= shm.Opaque
	require.ErrorAs(t, region.Movable(opaque, 2), &refusal)
	require.Contains(t, refusal.Why, "class opaque or futex")
	require.ErrorAs(t, region.Movable(baseline.Mutex, 2), &refusal)
	require.Equal(t, "sync.Mutex", refusal.Type)

	delegates := shm.Algorithm{Name: "test/delegating", New: func(int) (shm.Mutex, error) { return new(delegating), nil }}
	require.ErrorAs(t, region.Movable(delegates, 2), &refusal)
	require.Contains(t, refusal.Why, "a request is a function")

	allocates := shm.Algorithm{Name: "test/allocating", New: func(int) (shm.Mutex, error) { return new(allocating), nil }}
	require.ErrorAs(t, region.Movable(allocates, 2), &refusal)
	require.Equal(t, "a passage allocates memory in one process", refusal.Why)

	lock, err := region.Put(r, new(allocating))
	require.NoError(t, err)
	require.NoError(t, region.Verify(r, lock))
	lock.Lock(1)
	require.ErrorAs(t, region.Verify(r, lock), &refusal)
	require.Equal(t, "region_test.allocating.last", refusal.Path)
	require.Contains(t, refusal.Why, "out of the region")
	lock.last.Store(nil) // which the collector would not see

	full := shm.Algorithm{Name: "test/none", New: func(int) (shm.Mutex, error) { return nil, errors.New("no lock") }}
	require.EqualError(t, region.Movable(full, 2), "no lock")
}
