package byhand

import (
	"sync/atomic"

	"shmbench/rw"
	"shmbench/shm"
	"shmbench/spin"
)

var readerWriters = []Mutant{
	mutate(rw.ReaderPref, "readerpref-no-wait", "a reader does not wait for the writer inside", Safety, 2,
		func(int) shm.Mutex { return new(readerPrefNoWait) }),
	mutate(rw.ReaderPref, "readerpref-over-readers", "a writer looks for a writer only", Safety, 2,
		func(int) shm.Mutex { return new(readerPrefOverReaders) }),
	mutate(rw.WriterPref(shm.Packed, shm.Sequential), "writerpref-no-second-look", "a reader that has seen no writer does not look again", Safety, 2,
		func(int) shm.Mutex { return new(writerPrefNoSecondLook) }),
	mutate(rw.WriterPref(shm.Packed, shm.Sequential), "writerpref-over-readers", "a writer does not wait for the readers inside", Safety, 2,
		func(int) shm.Mutex { return new(writerPrefOverReaders) }).using(shm.FetchAndAdd),
	mutate(rw.TaskFair(shm.Packed), "taskfair-half", "a writer waits for the writers before it only", Safety, 2,
		func(int) shm.Mutex { return new(taskFairHalf) }),
	mutate(rw.TaskFair(shm.Packed), "taskfair-reader-stays", "a reader that leaves does not say so", Deadlock, 2,
		func(int) shm.Mutex { return new(taskFairReaderStays) }),
	mutate(rw.PhaseFair(shm.Packed, shm.Sequential), "phasefair-one-phase", "all writers set the same bits", Deadlock, 2,
		func(int) shm.Mutex { return &phaseFairBase{bits: func(uint32) uint32 { return pres }} }),
	mutate(rw.PhaseFair(shm.Packed, shm.Sequential), "phasefair-over-readers", "a writer does not wait for the readers before it", Safety, 2,
		func(int) shm.Mutex { return new(phaseFairOverReaders) }),
	mutate(rw.BravoReaderPref(shm.Packed, shm.Sequential), "bravo-no-second-look", "a reader that has raised its flag does not look at the bias again", Safety, 2,
		func(n int) shm.Mutex { return &bravoNoSecondLook{newBravo(n)} }),
	mutate(rw.BravoReaderPref(shm.Packed, shm.Sequential), "bravo-late-bias", "the bias is set when the lock beneath has been left", Safety, 2,
		func(n int) shm.Mutex { return &bravoLateBias{newBravo(n)} }),
}

// readerPrefBase is the reader-preference lock, with the labels of rw.ReaderPrefMutex.
type readerPrefBase struct{ l atomic.Uint32 }

func (l *readerPrefBase) RLock(int) {
	l.l.Add(2)                                           // 1
	spin.Until(func() bool { return l.l.Load()&1 == 0 }) // 2
}

func (l *readerPrefBase) RUnlock(int) {
	l.l.Add(^uint32(1)) // 3
}

func (l *readerPrefBase) Lock(int) {
	for l.l.Load() != 0 || !l.l.CompareAndSwap(0, 1) { // 4
		spin.Pause()
	}
}

func (l *readerPrefBase) Unlock(int) {
	l.l.Add(^uint32(0)) // 5
}

type readerPrefNoWait struct{ readerPrefBase }

func (l *readerPrefNoWait) RLock(int) { l.l.Add(2) }

type readerPrefOverReaders struct{ readerPrefBase }

func (l *readerPrefOverReaders) Lock(int) {
	for {
		if v := l.l.Load(); v&1 == 0 && l.l.CompareAndSwap(v, v+1) {
			return
		}
		spin.Pause()
	}
}

// writerPrefBase is the writer-preference lock, with the labels of rw.WriterPrefMutex.
type writerPrefBase struct{ requests, completions, l atomic.Uint32 }

func (l *writerPrefBase) RLock(int) {
	spin.Until(func() bool { return l.requests.Load() == l.completions.Load() }) // 1
	l.l.Add(2)                                                                   // 2
	spin.Until(func() bool { return l.l.Load()&1 == 0 })                         // 3
}

func (l *writerPrefBase) RUnlock(int) {
	l.l.Add(^uint32(1)) // 4
}

func (l *writerPrefBase) Lock(int) {
	t := l.requests.Add(1) - 1                                   // 5
	spin.Until(func() bool { return l.completions.Load() == t }) // 6
	for l.l.Load() != 0 || !l.l.CompareAndSwap(0, 1) {           // 7
		spin.Pause()
	}
}

func (l *writerPrefBase) Unlock(int) {
	l.l.Add(^uint32(0))                           // 8
	l.completions.Store(l.completions.Load() + 1) // 9
}

type writerPrefNoSecondLook struct{ writerPrefBase }

func (l *writerPrefNoSecondLook) RLock(int) {
	spin.Until(func() bool { return l.requests.Load() == l.completions.Load() })
	l.l.Add(2)
}

type writerPrefOverReaders struct{ writerPrefBase }

func (l *writerPrefOverReaders) Lock(int) {
	t := l.requests.Add(1) - 1
	spin.Until(func() bool { return l.completions.Load() == t })
	l.l.Add(1)
}

// taskFairBase is the task-fair lock, with the labels of rw.TaskFairMutex.
type taskFairBase struct{ requests, completions atomic.Uint64 }

func (l *taskFairBase) RLock(int) {
	t := uint32(l.requests.Add(1 << 32))                                 // 1
	spin.Until(func() bool { return uint32(l.completions.Load()) == t }) // 2
}

func (l *taskFairBase) RUnlock(int) {
	l.completions.Add(1 << 32) // 3
}

func (l *taskFairBase) Lock(int) {
	t := l.requests.Add(1) - 1                                   // 4
	spin.Until(func() bool { return l.completions.Load() == t }) // 5
}

func (l *taskFairBase) Unlock(int) {
	l.completions.Add(1) // 6
}

type taskFairHalf struct{ taskFairBase }

func (l *taskFairHalf) Lock(int) {
	t := uint32(l.requests.Add(1) - 1)
	spin.Until(func() bool { return uint32(l.completions.Load()) == t })
}

type taskFairReaderStays struct{ taskFairBase }

func (l *taskFairReaderStays) RUnlock(int) { l.completions.Load() }

// phaseFairBase is the phase-fair lock, with the labels of rw.PhaseFairMutex.
type phaseFairBase struct {
	rin, rout, win, wout atomic.Uint32
	bits                 func(t uint32) uint32 // nil for those of the lock
}

const (
	phid = 1
	pres = 2
	rinc = 4
)

func (l *phaseFairBase) RLock(int) {
	w := l.rin.Add(rinc) & (pres | phid) // 1
	if w != 0 {
		spin.Until(func() bool { return l.rin.Load()&(pres|phid) != w }) // 2
	}
}

func (l *phaseFairBase) RUnlock(int) {
	l.rout.Add(rinc) // 3
}

func (l *phaseFairBase) Lock(int) {
	r := l.first()
	spin.Until(func() bool { return l.rout.Load() == r }) // 7
}

// first waits until the process is the first writer, and returns the readers before it.
func (l *phaseFairBase) first() uint32 {
	t := l.win.Add(1) - 1                                 // 4
	spin.Until(func() bool { return l.wout.Load() == t }) // 5
	bits := pres | t&phid
	if l.bits != nil {
		bits = l.bits(t)
	}
	return l.rin.Add(bits) - bits // 6
}

func (l *phaseFairBase) Unlock(int) {
	l.rin.And(^uint32(pres | phid)) // 8
	l.wout.Store(l.wout.Load() + 1) // 9
}

type phaseFairOverReaders struct{ phaseFairBase }

func (l *phaseFairOverReaders) Lock(int) { l.first() }

// bravoBase is BRAVO over the reader-preference lock, with the labels of rw.BravoMutex.
type bravoBase struct {
	readerPrefBase
	rbias   atomic.Bool
	visible []atomic.Bool
	fast    []bool
}

func newBravo(n int) bravoBase {
	return bravoBase{visible: make([]atomic.Bool, n), fast: make([]bool, n)}
}

func (l *bravoBase) RLock(i int) {
	if l.rbias.Load() { // B1
		l.visible[i].Store(true) // B2
		if l.rbias.Load() {      // B3
			l.fast[i] = true
			return
		}
		l.visible[i].Store(false) // B4
	}
	l.readerPrefBase.RLock(i) // B5
	l.rbias.Store(true)       // B6
}

func (l *bravoBase) RUnlock(i int) {
	if !l.fast[i] {
		l.readerPrefBase.RUnlock(i) // B7
		return
	}
	l.fast[i] = false
	l.visible[i].Store(false) // B7
}

func (l *bravoBase) Lock(i int) {
	l.readerPrefBase.Lock(i) // B8
	if l.rbias.Load() {      // B9
		l.rbias.Store(false) // B10
		for j := range l.visible {
			spin.Until(func() bool { return !l.visible[j].Load() }) // B11
		}
	}
}

type bravoNoSecondLook struct{ bravoBase }

func (l *bravoNoSecondLook) RLock(i int) {
	if l.rbias.Load() {
		l.visible[i].Store(true)
		l.fast[i] = true
		return
	}
	l.readerPrefBase.RLock(i)
	l.rbias.Store(true)
}

type bravoLateBias struct{ bravoBase }

func (l *bravoLateBias) RLock(i int) {
	if l.rbias.Load() {
		l.visible[i].Store(true)
		if l.rbias.Load() {
			l.fast[i] = true
			return
		}
		l.visible[i].Store(false)
	}
	l.readerPrefBase.RLock(i)
}

func (l *bravoLateBias) RUnlock(i int) {
	if !l.fast[i] {
		l.readerPrefBase.RUnlock(i)
		l.rbias.Store(true)
		return
	}
	l.fast[i] = false
	l.visible[i].Store(false)
}
