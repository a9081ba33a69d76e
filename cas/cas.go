// Package cas holds the compare-and-swap spin locks.
package cas

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// folklore is the source of the locks of this package. The instruction has a published source,
// and the spin lock made of it has none.
var folklore = shm.Source{
	Author: "folklore",
	Title:  "Compare-and-swap on one word, after the instruction of the IBM System/370",
	Venue:  "IBM System/370 Principles of Operation, GA22-7000",
	Year:   1973,
}

// CAS returns the specification of the plain compare-and-swap lock for its stores.
func CAS(stores shm.Stores) shm.Algorithm {
	return shm.Algorithm{
		Name:       "cas/cas",
		Title:      "Compare-and-swap spin lock",
		Source:     folklore,
		Class:      shm.CompareAndSwap,
		Claims:     shm.Claims{DeadlockFree: true, Mixed: shm.Mixed{DeadlockFree: true, WaitFreeTry: true, StrongTry: true}},
		Space:      shm.Space{{Name: "owner", Count: shm.Const(1), Values: shm.NPlus1}},
		Invariants: []shm.Invariant{ownerInvariant},
	}.Built(shm.Padded, stores, buildCAS)
}

// CASMutex is the compare-and-swap lock: a process enters when it changes the owner from no
// process to itself.
//
// Source: folklore, after the Compare and Swap instruction of the IBM
// System/370, 1973.
//
// Registers: owner, 0 for no process or an id plus one, written by all.
//
// Properties: mutual exclusion and deadlock freedom, because between two resets exactly one
// compare-and-swap succeeds. A process can starve. Unlike a test-and-set, a compare-and-swap
// that fails need not write. Whether it still takes the cache line from the others depends on
// the processor.
//
// There is no doorway.
//
//	entry section of process i:
//	1  repeat until compare-and-swap(owner, no process, i) succeeds
//	exit section:
//	2  owner := no process
//	try:
//	3  return whether compare-and-swap(owner, no process, i) succeeds
//
// Released stores: line 2, which no access of the critical section can pass. If others see
// this store late, they only wait longer.
//
// Deviations: none.
type CASMutex struct {
	_        shm.NoCopy
	released bool
	_        shm.Pad
	owner    register.Uint32
	_        shm.Pad
}

const nobody = 0

// NewCAS returns a compare-and-swap lock for n processes, or a
// *shm.ProcsError.
func NewCAS(n int, stores shm.Stores) (*CASMutex, error) {
	return shm.New[*CASMutex](CAS(stores), n)
}

func buildCAS(b shm.Build) shm.Mutex {
	return &CASMutex{released: b.Released}
}

// Lock acquires the lock for process i.
func (l *CASMutex) Lock(i int) {
	for !l.owner.CompareAndSwap(nobody, uint32(i)+1) { // 1
		spin.Pause()
	}
}

// TryLock acquires the lock if no process holds it.
func (l *CASMutex) TryLock(i int) bool {
	return l.owner.CompareAndSwap(nobody, uint32(i)+1) // 3
}

// Unlock releases the lock for any process.
func (l *CASMutex) Unlock(int) {
	l.owner.StoreReleaseIf(l.released, nobody) // 2
}

// ownerInvariant: owner is a process in its critical section.
var ownerInvariant = shm.Invariant{Name: "owner", Source: folklore, Holds: func(v shm.View) error {
	for i := range v.N() {
		if owner := v.Int("owner"); (v.Section(i) == shm.Critical) != (owner == i+1) {
			return fmt.Errorf("process %d is in its %v section and owner = %d", i, v.Section(i), owner)
		}
	}
	return nil
}}
