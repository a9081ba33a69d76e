package machines

import (
	"sync/atomic"

	"shmbench/shm"
)

type tail struct {
	flag bool
	next *tail
}

type base struct{ word atomic.Uint32 }

// Named has a cell of each kind of name.
type Named struct {
	base
	number   shm.Array[atomic.Int64]
	grid     [2][2]int8
	queue    []tail
	ring     *tail
	owner    atomic.Pointer[tail]
	open     atomic.Bool
	byName   map[string]*tail
	byStruct map[[2]int]*tail
	value    any
	held     any
	made     func() *tail
	text     string
	_        int
}

// holder is held by value.
type holder struct {
	_    int
	pair [2]any
	none func()
}

var Shared = &tail{}

func NewNamed(n int) *Named {
	l := &Named{number: shm.NewArray[atomic.Int64](2, shm.Padded), queue: make([]tail, 1), text: "a"}
	l.number.At(1).Store(4)
	l.grid[1][0] = -3
	l.word.Store(1 << 31)
	l.open.Store(true)
	l.ring = &tail{}
	l.ring.next = &tail{next: l.ring}
	l.owner.Store(l.ring.next)
	l.byName = map[string]*tail{"a": {}}
	l.byStruct = map[[2]int]*tail{{1, 2}: {}}
	l.value = &tail{}
	l.held = holder{pair: [2]any{nil, &tail{}}}
	kept := &tail{}
	l.made = func() *tail { return kept }
	return l
}

func (l *Named) Lock(int)   { l.number.At(1).Store(3); l.ring.flag = Shared.flag }
func (l *Named) Unlock(int) {}

// Word is a lock that is one register.
type Word uint32

// NewWord returns a Word.
func NewWord(int) *Word { return new(Word) }

// Lock takes the lock.
func (w *Word) Lock(int) {
	for !atomic.CompareAndSwapUint32((*uint32)(w), 0, 1) {
	}
}

// Unlock leaves the lock.
func (w *Word) Unlock(int) { atomic.StoreUint32((*uint32)(w), 0) }

// Embeds is a lock whose register has no name of its own.
type Embeds struct{ atomic.Bool }

// NewEmbeds returns an Embeds.
func NewEmbeds(int) *Embeds { return new(Embeds) }

// Lock takes the lock.
func (e *Embeds) Lock(int) {
	for e.Swap(true) {
	}
}

// Unlock leaves the lock.
func (e *Embeds) Unlock(int) { e.Store(false) }
