package modes

import (
	"sync/atomic"

	"shmbench/shm/register"
)

// Lingers is a reader-writer lock whose writer leaves by a released store: readers
// may wait for it when it has returned.
type Lingers struct {
	writer  register.Bool
	readers atomic.Int32
}

func NewLingers(int) *Lingers { return new(Lingers) }

func (l *Lingers) Lock(int) {
	for l.writer.Swap(true) { // 1
	}
	for l.readers.Load() != 0 { // 2
	}
}

func (l *Lingers) Unlock(int) { l.writer.StoreRelease(false) } // 3

func (l *Lingers) RLock(int) {
	l.readers.Add(1)      // 4
	for l.writer.Load() { // 5
		l.readers.Add(-1)     // 6
		for l.writer.Load() { // 7
		}
		l.readers.Add(1) // 8
	}
}

func (l *Lingers) RUnlock(int) { l.readers.Add(-1) } // 9

// LingersReading has readers that take turns to announce themselves, and leave that
// by a released store: they wait for one another.
type LingersReading struct {
	Lingers
	turn register.Bool
}

func NewLingersReading(int) *LingersReading { return new(LingersReading) }

func (l *LingersReading) RLock(i int) {
	for l.turn.Swap(true) { // 10
	}
	l.Lingers.RLock(i)
	l.turn.StoreRelease(false) // 11
}
