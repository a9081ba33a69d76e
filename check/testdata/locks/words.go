package locks

import (
	"sync/atomic"
	"unsafe"
)

// word is what the typed API and the functions have in common.
type word[T comparable] interface {
	Load() T
	Store(T)
	CompareAndSwap(old, new T) bool
	Swap(T) T
}

// Generic is a compare-and-swap lock over any kind of atomic word.
type Generic[T comparable] struct {
	owner      word[T]
	free, held T
}

func (l *Generic[T]) Lock(int) {
	for !l.owner.CompareAndSwap(l.free, l.held) {
	}
}

func (l *Generic[T]) Unlock(int) { l.owner.Store(l.free) }

func NewBool(int) *Generic[bool]       { return &Generic[bool]{new(atomic.Bool), false, true} }
func NewInt32(int) *Generic[int32]     { return &Generic[int32]{new(atomic.Int32), 0, -1} }
func NewInt64(int) *Generic[int64]     { return &Generic[int64]{new(atomic.Int64), 0, 1} }
func NewUint32(int) *Generic[uint32]   { return &Generic[uint32]{new(atomic.Uint32), 0, 1} }
func NewUint64(int) *Generic[uint64]   { return &Generic[uint64]{new(atomic.Uint64), 0, 1} }
func NewUintptr(int) *Generic[uintptr] { return &Generic[uintptr]{new(atomic.Uintptr), 0, 1} }
func NewPointer(int) *Generic[*int] {
	return &Generic[*int]{new(atomic.Pointer[int]), nil, new(int)}
}

// Functions is a ticket lock through the functions of sync/atomic, of words
// inside an array of structs; it closes over what it waits for.
type Functions struct {
	words []struct{ next, serving uint32 }
	wait  func(ready func() bool)
}

func NewFunctions(n int) *Functions {
	l := &Functions{words: make([]struct{ next, serving uint32 }, n)}
	l.wait = func(ready func() bool) {
		for !ready() {
		}
	}
	return l
}

func (l *Functions) Lock(int) {
	w := &l.words[1]
	mine := atomic.AddUint32(&w.next, 1) - 1
	l.wait(func() bool { return atomic.LoadUint32(&w.serving) == mine })
}

func (l *Functions) Unlock(int) {
	w := &l.words[1]
	atomic.StoreUint32(&w.serving, atomic.LoadUint32(&w.serving)+1)
}

// Bits is a lock of one bit of a word that has others.
type Bits struct{ word atomic.Uint32 }

func NewBits(int) *Bits { return new(Bits) }

func (l *Bits) Lock(int) {
	for l.word.Or(4)&4 != 0 {
	}
}

func (l *Bits) Unlock(int) { l.word.And(^uint32(4)) }

// Inner is what Embedded promotes.
type Inner struct{ *TAS }

// Embedded gets its methods from two levels further in.
type Embedded struct{ Inner }

func NewEmbedded(int) Embedded { return Embedded{Inner{new(TAS)}} }

// Global is a lock that is a package's variable, through unsafe pointers.
type Global struct{}

var (
	holder unsafe.Pointer
	tokens [8]int
)

func NewGlobal(int) Global { return Global{} }

func (Global) Lock(i int) {
	for !atomic.CompareAndSwapPointer(&holder, nil, unsafe.Pointer(&tokens[i])) {
	}
}

func (Global) Unlock(int) { atomic.StorePointer(&holder, nil) }
