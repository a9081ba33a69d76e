package mutex

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
	"shmbench/tas"
)

// stores is as much of a store to a Go map as the runtime looks at: it marks the
// map while it is written, and panics if the map is marked already, or is not at
// the end. The store begins with Lock and ends with Unlock.
//
// Source: Go 1.26, internal/runtime/maps, Map.PutSlot.
//
//	begin: if writing ≠ 0 then throw "concurrent map writes"
//	       writing := writing xor 1
//	end:   if writing = 0 then throw "concurrent map writes"
//	       writing := writing xor 1
//
// The runtime's throw ends the program, and no recover stops it; here it is a panic.
type stores struct{ writing uint8 }

func (m *stores) Lock(int) {
	if m.writing != 0 {
		panic("concurrent map writes")
	}
	m.writing ^= 1
}

func (m *stores) Unlock(int) {
	if m.writing == 0 {
		panic("concurrent map writes")
	}
	m.writing ^= 1
}

// MapStores builds a map to which processes store as they like.
func MapStores(int) shm.Mutex { return new(stores) }

// guarded is a map that the holder of the mutex stores to.
type guarded struct {
	mutex shm.Mutex
	m     stores
}

func (g *guarded) Lock(i int) {
	g.mutex.Lock(i)
	g.m.Lock(i)
}

func (g *guarded) Unlock(i int) {
	g.m.Unlock(i)
	g.mutex.Unlock(i)
}

// MapStoresInside builds a map to which processes store in the critical section
// of a mutex.
func MapStoresInside(n int) (shm.Mutex, error) {
	l, err := tas.NewTAS(n, shm.Sequential)
	return &guarded{mutex: l}, err
}

// outside is a lock before which each process stores to a Go map.
type outside struct {
	shm.Mutex
	m map[int]int
}

func (o *outside) Lock(i int) {
	o.m[i]++
	o.Mutex.Lock(i)
}

// GoMap builds a right lock beside a real Go map, to which processes store before
// they lock: shmbench stress ./examples/mutex:GoMap -procs 4.
func GoMap(n int) (shm.Mutex, error) {
	l, err := tas.NewTAS(n, shm.Sequential)
	return &outside{Mutex: l, m: map[int]int{}}, err
}

// TestThenSet builds a lock that tests and sets in two steps, between which
// another process can do the same.
func TestThenSet(int) shm.Mutex { return new(testThenSet) }

type testThenSet struct{ busy atomic.Bool }

func (l *testThenSet) Lock(int) {
	for l.busy.Load() {
		spin.Pause()
	}
	l.busy.Store(true)
}

func (l *testThenSet) Unlock(int) { l.busy.Store(false) }
