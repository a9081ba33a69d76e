package rw

import (
	"slices"

	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// Bravo returns the specification of BRAVO over the phase-fair lock for a layout of its
// registers and for its stores.
func Bravo(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return bravo("rw/bravo", PhaseFair(layout, stores), layout, stores)
}

// BravoReaderPref returns the specification of BRAVO over the reader-preference lock for a
// layout of its slots and for its stores.
func BravoReaderPref(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := bravo("rw/bravoreaderpref", ReaderPref, layout, stores)
	a.Claims.Mixed.Readers.Bypass = shm.Const(1) // readers past line B8 and not yet inside
	return a
}

// bravo derives the specification from that of the inner reader-writer lock.
func bravo(name string, beneath shm.Algorithm, layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := beneath
	a.Name = name
	a.Title = "BRAVO over " + beneath.Title
	a.Source = shm.Source{
		Author: "Dave Dice and Alex Kogan",
		Title:  "BRAVO: Biased Locking for Reader-Writer Locks",
		Venue:  "USENIX Annual Technical Conference",
		Year:   2019,
		Page:   "315-328",
	}
	a.Reconstructed = true
	a.VariantOf = ""
	a.Space = append(slices.Clone(beneath.Space),
		shm.Registers{Name: "rbias", Count: shm.Const(1), Values: shm.Const(2)},
		shm.Registers{Name: "visible", Count: shm.N, Values: shm.Const(2), SingleWriter: true})
	a.Invariants = nil
	return a.BuiltOver(beneath, layout, stores, buildBravo)
}

// BravoMutex adds a fast path for readers to a reader-writer lock. While the lock is biased, a
// reader only sets a flag of its own, and a writer waits for the flags.
//
// Source: Dave Dice and Alex Kogan, "BRAVO: Biased Locking for Reader-Writer Locks", USENIX
// ATC 2019, p. 315-328. This lock is reconstructed from secondary sources.
//
// Registers: those of the inner lock; rbias, a bit, set by readers and cleared by writers;
// visible[i], a bit, written by process i.
//
// Properties: a reader that finds the bias on line B3 has set its flag before. A writer
// reads the flags after it has cleared the bias. So one sees the other. Only a process that
// holds the inner lock for reading sets the bias. So the bias is set only while no writer
// is past line B8. Writers have the order of the inner lock, and also wait for readers that
// were past line B3. Readers have the properties of the inner lock.
//
// The doorways are those of the inner lock.
//
//	reader's entry section of process i:
//	B1  if rbias then
//	B2      visible[i] := true
//	B3      if rbias then enter
//	B4      visible[i] := false
//	B5  the reader's entry section beneath
//	B6  if it is the process's second time here in a row, and not rbias, then rbias := true
//	reader's exit section:
//	B7  visible[i] := false if it has entered in line B3, or else the exit section beneath
//	writer's entry section:
//	B8  the writer's entry section beneath
//	B9  if rbias then
//	B10     rbias := false
//	B11     for all j: wait until not visible[j]
//	writer's exit section:
//	B12 the writer's exit section beneath
//
// Released stores: line B7, which no access of the critical section can pass, and keeps a
// writer on line B11 until it is visible.
//
// Deviations: the paper has one table of flags for all locks, in which a reader looks for a
// free place by hashing. Here a process has a flag in each lock, and always finds it. In the
// paper readers do not set the bias for a multiple of the time that the last writer took for
// line B11. Here each reader makes one slow passage first.
type BravoMutex struct {
	_        shm.NoCopy
	released bool
	u        shm.RWMutex // the lock beneath
	_        shm.Pad
	rbias    register.Bool
	_        shm.Pad
	visible  shm.Array[register.Bool]
	private  shm.Array[bravoPrivate] // private[i] is used by process i only
}

type bravoPrivate struct {
	fast bool // it is inside as a reader that has entered in line B3
	slow bool // it has been in line B6
}

func buildBravo(b shm.Build, beneath shm.Mutex) shm.Mutex {
	return &BravoMutex{
		released: b.Released,
		u:        beneath.(shm.RWMutex),
		visible:  shm.NewArray[register.Bool](b.N, b.Layout),
		private:  shm.NewArray[bravoPrivate](b.N, shm.Padded),
	}
}

// RLock acquires the lock for process i as a reader.
func (l *BravoMutex) RLock(i int) {
	p := l.private.At(i)
	if l.rbias.Load() { // B1
		l.visible.At(i).Store(true) // B2
		if l.rbias.Load() {         // B3
			p.fast = true
			return
		}
		l.visible.At(i).Store(false) // B4
	}
	l.u.RLock(i) // B5
	if p.slow && !l.rbias.Load() {
		l.rbias.Store(true) // B6
	}
	p.slow = !p.slow
}

// RUnlock releases the lock for process i as a reader.
func (l *BravoMutex) RUnlock(i int) {
	p := l.private.At(i)
	if !p.fast {
		l.u.RUnlock(i) // B7
		return
	}
	p.fast = false
	l.visible.At(i).StoreReleaseIf(l.released, false) // B7
}

// Lock acquires the lock for process i as a writer.
func (l *BravoMutex) Lock(i int) {
	l.u.Lock(i)         // B8
	if l.rbias.Load() { // B9
		l.rbias.Store(false) // B10
		for j := range l.visible.Len() {
			spin.Until(func() bool { return !l.visible.At(j).Load() }) // B11
		}
	}
}

// Unlock releases the lock for process i as a writer.
func (l *BravoMutex) Unlock(i int) {
	l.u.Unlock(i) // B12
}
