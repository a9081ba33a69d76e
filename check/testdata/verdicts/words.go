package verdicts

import "sync/atomic"

// Flags only, raise and wait: deadlock.
type Raise struct{ flag [2]atomic.Bool }

func NewRaise(int) *Raise { return new(Raise) } // want: !dl !sf
func (l *Raise) Lock(i int) {
	l.flag[i].Store(true)
	for l.flag[1-i].Load() {
	}
}
func (l *Raise) Unlock(i int) { l.flag[i].Store(false) }

// Look and raise: no exclusion.
type Look struct{ flag [2]atomic.Bool }

func NewLook(int) *Look { return new(Look) } // want: !me !sf
func (l *Look) Lock(i int) {
	for l.flag[1-i].Load() {
	}
	l.flag[i].Store(true)
}
func (l *Look) Unlock(i int) { l.flag[i].Store(false) }

// Raise and back off: livelock.
type Back struct{ flag [2]atomic.Bool }

func NewBack(int) *Back { return new(Back) } // want: !dl !sf
func (l *Back) Lock(i int) {
	for {
		l.flag[i].Store(true)
		if !l.flag[1-i].Load() {
			return
		}
		l.flag[i].Store(false)
	}
}
func (l *Back) Unlock(i int) { l.flag[i].Store(false) }

// Counting semaphore with taking back.
type Count struct{ c atomic.Int32 }

func NewCount(int) *Count { return new(Count) } // want: !dl !sf
func (l *Count) Lock(int) {
	for l.c.Add(1) != 1 {
		l.c.Add(-1)
	}
}
func (l *Count) Unlock(int) { l.c.Add(-1) }

// Bit mask with iota.
type mask uint32

const (
	held mask = 1 << iota
	wanted0
	wanted1
	all = held | wanted0 | wanted1
)

type Mask struct{ w atomic.Uint32 }

func NewMask(int) *Mask { return new(Mask) } // want: !sf
func (l *Mask) Lock(i int) {
	l.w.Or(uint32(wanted0 << i))
	for {
		w := mask(l.w.Load())
		if w&held != 0 {
			continue
		}
		if l.w.CompareAndSwap(uint32(w), uint32((w|held)&^(wanted0<<i))) {
			return
		}
	}
}
func (l *Mask) Unlock(int) { l.w.And(uint32(^held & all)) }

// Old style functions.
type Old struct{ state int32 }

func NewOld(int) *Old { return new(Old) } // want: !sf
func (l *Old) Lock(int) {
	for !atomic.CompareAndSwapInt32(&l.state, 0, 1) {
	}
}
func (l *Old) Unlock(int) { atomic.StoreInt32(&l.state, 0) }

// Old style, released plainly: a race.
type OldPlain struct{ Old }

func NewOldPlain(int) *OldPlain { return new(OldPlain) } // want: !sf !race
func (l *OldPlain) Unlock(int)  { l.state = 0 }

// Atomic.Value.
type Val struct{ v atomic.Value }

func NewVal(int) *Val { return new(Val) } // want: refused: .*atomic.Value.*
func (l *Val) Lock(i int) {
	for !l.v.CompareAndSwap(nil, i) {
	}
}
func (l *Val) Unlock(int) {}
