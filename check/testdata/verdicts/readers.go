package verdicts

import "sync/atomic"

// One word counts the readers, and is -1 while there is a writer.
type RWWord struct{ w atomic.Int32 }

func NewRWWord(int) *RWWord { return new(RWWord) } // want: !sf; all: !sf !rsf !concurrent
func (l *RWWord) Lock(int) {
	for !l.w.CompareAndSwap(0, -1) {
	}
}
func (l *RWWord) Unlock(int) { l.w.Store(0) }
func (l *RWWord) RLock(int) {
	for {
		if w := l.w.Load(); w >= 0 && l.w.CompareAndSwap(w, w+1) {
			return
		}
	}
}
func (l *RWWord) RUnlock(int) { l.w.Add(-1) }

// A TryRLock that another reader makes fail.
type RWWordTry struct{ RWWord }

func NewRWWordTry(int) *RWWordTry { return new(RWWordTry) } // want: !sf; all: !sf !rsf !concurrent !strong
func (l *RWWordTry) TryRLock(int) bool {
	w := l.w.Load()
	return w >= 0 && l.w.CompareAndSwap(w, w+1)
}

// A reader shows itself and waits for the writer, which waits for it.
type RWStuck struct {
	readers atomic.Int32
	writer  atomic.Bool
}

func NewRWStuck(int) *RWStuck { return new(RWStuck) } // want: !sf; all: !dl !sf !rsf
func (l *RWStuck) Lock(int) {
	for l.writer.Swap(true) {
	}
	for l.readers.Load() != 0 {
	}
}
func (l *RWStuck) Unlock(int) { l.writer.Store(false) }
func (l *RWStuck) RLock(int) {
	l.readers.Add(1)
	for l.writer.Load() {
	}
}
func (l *RWStuck) RUnlock(int) { l.readers.Add(-1) }

// The same, where the reader gives way.
type RWPolite struct{ RWStuck }

func NewRWPolite(int) *RWPolite { return new(RWPolite) } // want: !sf; all: !sf !rsf
func (l *RWPolite) RLock(int) {
	for {
		l.readers.Add(1)
		if !l.writer.Load() {
			return
		}
		l.readers.Add(-1)
		for l.writer.Load() {
		}
	}
}

// The same, behind a node that the reader publishes.
type RWPublishes struct {
	RWPolite
	junk atomic.Pointer[node]
}

func NewRWPublishes(int) *RWPublishes { return new(RWPublishes) } // want: !sf; all: !sf !rsf
func (l *RWPublishes) RLock(i int) {
	l.junk.Swap(new(node))
	l.RWPolite.RLock(i)
}

// Readers that do not look at the writer.
type RWBlind struct{ RWPublishes }

func NewRWBlind(int) *RWBlind { return new(RWBlind) } // want: !sf; all: !me !sf
func (l *RWBlind) RLock(int) {
	l.junk.Swap(new(node))
	l.readers.Add(1)
}

// Tries of readers can keep a writer out forever, and enter nothing themselves; a
// writer that waits makes them fail.
type RWTries struct{ RWPolite }

func NewRWTries(int) *RWTries { return new(RWTries) } // want: !sf; all: !dl !sf !rsf !strong
func (l *RWTries) TryRLock(int) bool {
	l.readers.Add(1)
	if !l.writer.Load() {
		return true
	}
	l.readers.Add(-1)
	return false
}

// Readers that are writers.
type RWAlone struct{ bit }

func NewRWAlone(int) *RWAlone    { return new(RWAlone) } // want: !sf; all: !sf !rsf !together !concurrent
func (l *RWAlone) RLock(i int)   { l.Lock(i) }
func (l *RWAlone) RUnlock(i int) { l.Unlock(i) }

// A writer's Unlock waits for readers, who wait for no process.
type RWExit struct{ RWPolite }

func NewRWExit(int) *RWExit { return new(RWExit) } // want: !sf; all: !sf !rsf !exit
func (l *RWExit) Unlock(int) {
	l.writer.Store(false)
	for l.readers.Load() != 0 {
	}
}
