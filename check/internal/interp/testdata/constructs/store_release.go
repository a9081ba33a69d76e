package constructs

import "shmbench/shm/register"

// StoreRelease stores with release order, or not, and with the operations that
// its words have from sync/atomic.
type StoreRelease struct {
	w        register.Uint32
	flag     register.Bool
	released bool
}

func NewStoreRelease(int) *StoreRelease { return &StoreRelease{released: true} }

// Lock makes these accesses:
//
//	store-release w := 1
//	released = true, store-release w := 2
//	released = true, store w := 3
//	store-release flag := true
//	released = true, store w := 5
//	store w := 4
//	add w = 4 := 6
//	load flag = true
func (l *StoreRelease) Lock(int) {
	l.w.StoreRelease(1)
	l.w.StoreReleaseIf(l.released, 2)
	l.w.StoreReleaseIf(!l.released, 3)
	l.flag.StoreRelease(true)
	l.w.StoreFencedIf(l.released, 5)
	l.w.Store(4)
	l.w.Add(2)
	l.flag.Load()
}

func (l *StoreRelease) Unlock(int) {}
