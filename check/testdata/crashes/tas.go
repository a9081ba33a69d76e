// Package crashes holds locks for processes that crash: some that recover, and many that
// lose a property under crashes.
package crashes

import (
	"sync/atomic"

	"shmbench/shm"
)

// tas is a test-and-set lock that recovers in a wrong way.
type tas struct {
	how   string
	busy  atomic.Uint32
	owner atomic.Uint32
}

func NewTAS(int) *plainTAS         { return new(plainTAS) }
func NewTASRelease(int) *tas       { return &tas{how: "release"} }
func NewTASTwoWords(int) *tas      { return &tas{how: "two words"} }
func NewTASFree(int) *tas          { return &tas{how: "free"} }
func NewTASUnknown(int) *tas       { return &tas{how: "unknown"} }
func NewTASFinished(int) *finished { return new(finished) }
func NewTASNegative(int) *negative { return new(negative) }
func NewTASAtOnce(int) *atOnce     { return new(atOnce) }

// plainTAS has no Recover.
type plainTAS struct{ busy atomic.Uint32 }

func (l *plainTAS) Lock(int) {
	for l.busy.Swap(1) == 1 { // 1
	}
}

func (l *plainTAS) Unlock(int) { l.busy.Store(0) } // 2

func (l *tas) Recover(i int) shm.Outcome {
	switch l.how {
	case "release":
		l.busy.Store(0) // R1
	case "two words":
		if l.owner.Load() == uint32(i)+1 { // R1
			return shm.Inside
		}
	case "free":
		if l.busy.Load() == uint32(i)+1 { // R1
			l.busy.Store(0) // R2
		}
	case "unknown":
		return shm.Outcome(3 + l.busy.Load()) // R1
	}
	return shm.Enter
}

func (l *tas) Lock(i int) {
	if l.how == "free" {
		for !l.busy.CompareAndSwap(0, uint32(i)+1) { // E1
		}
		return
	}
	for l.busy.Swap(1) == 1 { // E1
	}
	if l.how == "two words" {
		l.owner.Store(uint32(i) + 1) // E2
	}
}

func (l *tas) Unlock(int) {
	if l.how == "two words" {
		l.owner.Store(0) // X1
	}
	l.busy.Store(0) // X2
}

// finished is an owner word whose exit section has two steps. Recover ends it.
type finished struct {
	owner   atomic.Uint32
	leaving [3]uint32 // plain, of its process alone, and kept in a crash
}

func (l *finished) Recover(i int) shm.Outcome {
	switch {
	case l.leaving[i] == 1: // R1
		l.owner.CompareAndSwap(uint32(i)+1, 0) // R2
		l.leaving[i] = 0                       // R3
		return shm.Finished
	case l.owner.Load() == uint32(i)+1: // R4
		return shm.Inside
	}
	return shm.Enter
}

func (l *finished) Lock(i int) {
	for !l.owner.CompareAndSwap(0, uint32(i)+1) { // E1
	}
}

func (l *finished) Unlock(i int) {
	l.leaving[i] = 1                       // X1
	l.owner.CompareAndSwap(uint32(i)+1, 0) // X2
	l.leaving[i] = 0                       // X3
}

// negative is a test-and-set lock whose Recover returns -1 while the lock is held.
type negative struct{ plainTAS }

func (l *negative) Recover(int) int8 {
	return -int8(l.busy.Load()) // R1
}

// atOnce is a test-and-set lock whose Recover returns no outcome, without an access.
type atOnce struct{ plainTAS }

func (l *atOnce) Recover(int) uint16 { return 7 }
