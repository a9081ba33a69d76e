package everyn

import (
	"runtime"
	"sync/atomic"
)

// Ignored is a test-and-set lock that one process ignores. Each constructor says in another way
// which one it is. Fails for the first time with seven processes or more.
type Ignored struct {
	busy    atomic.Int32
	other   int
	ignores func(*Ignored, int) bool
}

func (l *Ignored) Lock(i int) {
	for l.busy.Swap(1) == 1 && !l.ignores(l, i) {
		runtime.Gosched()
	}
}

func (l *Ignored) Unlock(int) { l.busy.Store(0) }

func ignores(f func(*Ignored, int) bool) *Ignored { return &Ignored{other: 6, ignores: f} }

func six() int { return 6 }

var table = []bool{6: true, 1023: false}

func NewSeventh(int) *Ignored { return ignores(func(_ *Ignored, i int) bool { return i == 6 }) }
func NewField(int) *Ignored   { return ignores(func(l *Ignored, i int) bool { return i == l.other }) }
func NewResult(int) *Ignored  { return ignores(func(_ *Ignored, i int) bool { return i == six() }) }
func NewTable(int) *Ignored   { return ignores(func(_ *Ignored, i int) bool { return table[i] }) }
func NewText(int) *Ignored {
	return ignores(func(_ *Ignored, i int) bool { return "0000001"[i] == '1' })
}
func NewMask(int) *Ignored {
	return ignores(func(_ *Ignored, i int) bool { return i&6 == 6 })
}
func NewShift(int) *Ignored { return ignores(func(_ *Ignored, i int) bool { return i>>1>>1>>1 > 0 }) }
func NewNarrow(int) *Ignored {
	return ignores(func(_ *Ignored, i int) bool { return i > 1 && int8(i) < 1 })
}
func NewProduct(int) *Ignored {
	return ignores(func(l *Ignored, i int) bool { return i*i == l.other*l.other })
}
func NewSteps(int) *Ignored {
	return ignores(func(_ *Ignored, i int) bool { return i-1-1-1-1-1-1 == 0 })
}
func NewSum(int) *Ignored {
	return ignores(func(_ *Ignored, i int) bool { x := 1; x += x; x += x; x += x; return i == x })
}
func NewHalf(n int) *Ignored {
	half := n / 2
	return ignores(func(_ *Ignored, i int) bool { return half > 3 && i == 0 })
}
func NewLoop(int) *Ignored {
	return ignores(func(_ *Ignored, i int) bool {
		for j := range i {
			if j == 5 {
				return true
			}
		}
		return false
	})
}

// Eight is Burns and Lynch's one-bit lock with at most eight bits. Processes 0 and 8 share one, so the
// lock fails with nine processes.
type Eight struct{ flag []atomic.Bool }

func NewEight(n int) *Eight { return &Eight{make([]atomic.Bool, min(n, 8))} }

func (l *Eight) Lock(id int) {
	i := id % 8
again:
	l.flag[i].Store(false)
	for j := range i {
		if l.flag[j].Load() {
			goto again
		}
	}
	l.flag[i].Store(true)
	for j := range i {
		if l.flag[j].Load() {
			goto again
		}
	}
	for j := i + 1; j < len(l.flag); j++ {
		for l.flag[j].Load() {
			runtime.Gosched()
		}
	}
}

func (l *Eight) Unlock(id int) { l.flag[id%8].Store(false) }

// OneBit is the same lock with a bit for each process: correct for every n.
type OneBit struct{ flag []atomic.Bool }

func NewOneBit(n int) *OneBit { return &OneBit{make([]atomic.Bool, n)} }

func (l *OneBit) Lock(i int) {
again:
	l.flag[i].Store(false)
	for j := range i {
		if l.flag[j].Load() {
			goto again
		}
	}
	l.flag[i].Store(true)
	for j := range i {
		if l.flag[j].Load() {
			goto again
		}
	}
	for j := i + 1; j < len(l.flag); j++ {
		for l.flag[j].Load() {
			runtime.Gosched()
		}
	}
}

func (l *OneBit) Unlock(i int) { l.flag[i].Store(false) }
