package modes

import (
	"runtime"
	"sync/atomic"
)

// RW prefers readers: they announce themselves, and then look for a writer.
type RW struct{ word atomic.Uint32 }

func NewRW(int) *RW { return new(RW) }

const (
	writing = 1
	reader  = 2
)

func (l *RW) Lock(int) {
	for !l.word.CompareAndSwap(0, writing) { // 1
		runtime.Gosched()
	}
}

func (l *RW) Unlock(int) { l.word.Add(^uint32(writing - 1)) } // 2

func (l *RW) RLock(int) {
	l.word.Add(reader)               // 3
	for l.word.Load()&writing != 0 { // 4
		runtime.Gosched()
	}
}

func (l *RW) RUnlock(int) { l.word.Add(^uint32(reader - 1)) } // 5

// LooksFirst looks for a writer, and then announces its reader.
type LooksFirst struct{ RW }

func NewLooksFirst(int) *LooksFirst { return new(LooksFirst) }

func (l *LooksFirst) RLock(int) {
	for l.word.Load()&writing != 0 { // 3
		runtime.Gosched()
	}
	l.word.Add(reader) // 4
}

// Alone is a mutex that says that it has readers.
type Alone struct{ bit }

func NewAlone(int) *Alone { return new(Alone) }

func (l *Alone) RLock(i int)   { l.Lock(i) }
func (l *Alone) RUnlock(i int) { l.Unlock(i) }

// Retries counts readers in a way in which they wait for one another.
type Retries struct{ RW }

func NewRetries(int) *Retries { return new(Retries) }

func (l *Retries) RLock(int) {
	for {
		w := l.word.Load()                                        // 3
		if w&writing == 0 && l.word.CompareAndSwap(w, w+reader) { // 4
			return
		}
	}
}

// Gate lets no reader in while a writer is about.
type Gate struct {
	RW
	writers atomic.Uint32
}

func NewGate(int) *Gate { return new(Gate) }

func (l *Gate) Lock(i int) {
	l.writers.Add(1) // 6
	l.RW.Lock(i)
}

func (l *Gate) Unlock(i int) {
	l.RW.Unlock(i)
	l.writers.Add(^uint32(0)) // 7
}

func (l *Gate) RLock(i int) {
	for l.writers.Load() != 0 { // 8
		runtime.Gosched()
	}
	l.RW.RLock(i)
}
