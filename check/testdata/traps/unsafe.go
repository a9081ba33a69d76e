package traps

import (
	"sync/atomic"
	"unsafe"
)

type ab struct {
	a uint8
	b uint32
}

type ba struct {
	b uint32
	a uint8
}

// NewOtherLayout sees a struct as another.
func NewOtherLayout(int) *Maybe {
	x := ab{a: 1}
	return If((*ba)(unsafe.Pointer(&x)).a == 0)
}

// Halves is a lock of two halves of a word that is taken whole.
type Halves struct{ low, high uint32 }

// NewHalves returns a Halves.
func NewHalves(int) *Halves { return new(Halves) }

func (l *Halves) Lock(int) {
	for !atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(l)), 0, 1) {
	}
}

func (l *Halves) Unlock(int) {
	atomic.StoreUint32(&l.low, 0)
	atomic.StoreUint32(&l.high, 0)
}

// Sign is a lock of a signed word that is taken as an unsigned one.
type Sign struct{ state int32 }

// NewSign returns a Sign.
func NewSign(int) *Sign { return new(Sign) }

func (l *Sign) Lock(int) {
	for !atomic.CompareAndSwapInt32(&l.state, 0, -1) {
	}
}

func (l *Sign) Unlock(int) {
	word := (*uint32)(unsafe.Pointer(&l.state))
	if atomic.LoadUint32(word) == 1<<32-1 {
		atomic.AddUint32(word, 1)
	}
}

// Bent stores the address of one struct where that of another belongs.
type Bent struct {
	TAS
	p *ba
}

// NewBent returns a Bent.
func NewBent(int) *Bent {
	l := new(Bent)
	*(*unsafe.Pointer)(unsafe.Pointer(&l.p)) = unsafe.Pointer(&ab{a: 1, b: 2})
	return l
}

func (l *Bent) Lock(i int) {
	if l.p.b == 2 {
		l.TAS.Lock(i)
	}
}

type node struct {
	_    [64]byte
	busy uint32
	next unsafe.Pointer
}

// Untyped is a lock that is reached through untyped addresses.
type Untyped struct{ first unsafe.Pointer }

// NewUntyped returns an Untyped.
func NewUntyped(int) *Untyped {
	n := new(node)
	n.next = unsafe.Pointer(n)
	return &Untyped{unsafe.Pointer(n)}
}

func (l *Untyped) Lock(int) {
	n := (*node)(atomic.LoadPointer(&(*node)(l.first).next))
	for !atomic.CompareAndSwapUint32(&n.busy, 0, 1) {
	}
}

func (l *Untyped) Unlock(int) { atomic.StoreUint32(&(*node)(l.first).busy, 0) }
