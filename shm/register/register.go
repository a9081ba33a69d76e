// Package register has the words of sync/atomic with more ways to store: with release
// order, which needs no fence, and with one fence for several stores.
//
// A store of sync/atomic is sequentially consistent. On amd64 it is an XCHG, which waits until
// the process's stores have reached memory, and no later access is made before. StoreRelease
// promises less. A process that reads the stored value, or a later value of the same process,
// sees all that the process did before the store. But the process's own later loads may be
// made before the store is visible to others. On amd64 StoreRelease is a plain MOV. Elsewhere,
// and under the race detector, it is the store of sync/atomic.
//
// # Why nothing moves past it
//
// An access before a release store, such as one in the critical section before the store that
// leaves it, stays before it.
//
// In the compiler, a store takes a state of memory and makes the next one. So all stores,
// calls and operations of sync/atomic form one chain, which no pass reorders. A load takes a
// state too, and is scheduled before the store that ends that state
// ($GOROOT/src/cmd/compile/internal/ssa/schedule.go): it may be made earlier, but never later.
// There is one exception: of two stores to one variable in a row, with only stores in between,
// the compiler may drop the first (deadstore.go). A load, a call or an operation of
// sync/atomic in between prevents it. So a variable that was written in a critical section is
// safe, because writing it again without a race takes one of these. Two release stores to one
// register need one in between.
//
// In the processor, stores of amd64 reach memory in the order of the program, and none reaches
// it before an earlier load is done: only a load may overtake an earlier store. See the Intel 64
// and IA-32 Architectures Software Developer's Manual, volume 3A, section "Memory Ordering in P6
// and More Recent Processor Families"; Sewell, Sarkar, Owens, Nardelli and Myreen, "x86-TSO",
// Communications of the ACM 53(7), 2010, p. 89-97. The overtaken store goes into the processor's
// buffer, and from there to memory, within a bounded time and without further instructions.
//
// # A fence behind several stores
//
// An XCHG waits until the stores before it have reached memory, and only then fetches its
// own cache line. If a release store comes before a store that needs its fence,
// StoreFencedIf leaves both stores in the processor's buffer. The buffer fetches their
// lines at the same time. The fence follows: a locked operation on a word of the stack.
// Other processes see no difference, since the process does nothing between its store and
// the fence. Uncontended, it takes half a nanosecond more than an XCHG.
//
// # Words
//
// A processor writes an aligned word of 32 or 64 bits at once. The types of sync/atomic are
// aligned.
//
// The types repeat their methods, because Go calls a generic function in their place
// through a dictionary. Through it a release store takes five times as long.
package register

import (
	"sync/atomic"
	"unsafe"
)

// Unfenced reports whether StoreRelease has no fence in this program.
const Unfenced = plain

// fence returns when all stores of the process before it have reached memory, and
// none of its later loads has been made.
func fence() {
	var own uint32
	atomic.AddUint32(&own, 0)
}

// Bool is an atomic.Bool with a store with release order.
type Bool struct{ atomic.Bool }

// StoreRelease stores v with release order.
func (x *Bool) StoreRelease(v bool) {
	if !plain {
		x.Store(v)
		return
	}
	// An atomic.Bool is a word of 32 bits that is 0 or 1.
	var word uint32
	if v {
		word = 1
	}
	*(*uint32)(unsafe.Pointer(x)) = word
}

// StoreReleaseIf stores v with release order if released holds, and otherwise
// with sequential consistency.
func (x *Bool) StoreReleaseIf(released bool, v bool) {
	if released {
		x.StoreRelease(v)
	} else {
		x.Store(v)
	}
}

// StoreFencedIf stores v with sequential consistency: if released holds with a fence
// behind the store, and otherwise like Store.
func (x *Bool) StoreFencedIf(released bool, v bool) {
	if plain && released {
		x.StoreRelease(v)
		fence()
	} else {
		x.Store(v)
	}
}

// Int32 is an atomic.Int32 with a store with release order.
type Int32 struct{ atomic.Int32 }

// StoreRelease stores v with release order.
func (x *Int32) StoreRelease(v int32) {
	if !plain {
		x.Store(v)
		return
	}
	*(*int32)(unsafe.Pointer(x)) = v
}

// StoreReleaseIf stores v with release order if released holds, and otherwise
// with sequential consistency.
func (x *Int32) StoreReleaseIf(released bool, v int32) {
	if released {
		x.StoreRelease(v)
	} else {
		x.Store(v)
	}
}

// StoreFencedIf stores v with sequential consistency: if released holds with a fence
// behind the store, and otherwise like Store.
func (x *Int32) StoreFencedIf(released bool, v int32) {
	if plain && released {
		x.StoreRelease(v)
		fence()
	} else {
		x.Store(v)
	}
}

// Int64 is an atomic.Int64 with a store with release order.
type Int64 struct{ atomic.Int64 }

// StoreRelease stores v with release order.
func (x *Int64) StoreRelease(v int64) {
	if !plain {
		x.Store(v)
		return
	}
	*(*int64)(unsafe.Pointer(x)) = v
}

// StoreReleaseIf stores v with release order if released holds, and otherwise
// with sequential consistency.
func (x *Int64) StoreReleaseIf(released bool, v int64) {
	if released {
		x.StoreRelease(v)
	} else {
		x.Store(v)
	}
}

// StoreFencedIf stores v with sequential consistency: if released holds with a fence
// behind the store, and otherwise like Store.
func (x *Int64) StoreFencedIf(released bool, v int64) {
	if plain && released {
		x.StoreRelease(v)
		fence()
	} else {
		x.Store(v)
	}
}

// Uint32 is an atomic.Uint32 with a store with release order.
type Uint32 struct{ atomic.Uint32 }

// StoreRelease stores v with release order.
func (x *Uint32) StoreRelease(v uint32) {
	if !plain {
		x.Store(v)
		return
	}
	*(*uint32)(unsafe.Pointer(x)) = v
}

// StoreReleaseIf stores v with release order if released holds, and otherwise
// with sequential consistency.
func (x *Uint32) StoreReleaseIf(released bool, v uint32) {
	if released {
		x.StoreRelease(v)
	} else {
		x.Store(v)
	}
}

// StoreFencedIf stores v with sequential consistency: if released holds with a fence
// behind the store, and otherwise like Store.
func (x *Uint32) StoreFencedIf(released bool, v uint32) {
	if plain && released {
		x.StoreRelease(v)
		fence()
	} else {
		x.Store(v)
	}
}

// Uint64 is an atomic.Uint64 with a store with release order.
type Uint64 struct{ atomic.Uint64 }

// StoreRelease stores v with release order.
func (x *Uint64) StoreRelease(v uint64) {
	if !plain {
		x.Store(v)
		return
	}
	*(*uint64)(unsafe.Pointer(x)) = v
}

// StoreReleaseIf stores v with release order if released holds, and otherwise
// with sequential consistency.
func (x *Uint64) StoreReleaseIf(released bool, v uint64) {
	if released {
		x.StoreRelease(v)
	} else {
		x.Store(v)
	}
}

// StoreFencedIf stores v with sequential consistency: if released holds with a fence
// behind the store, and otherwise like Store.
func (x *Uint64) StoreFencedIf(released bool, v uint64) {
	if plain && released {
		x.StoreRelease(v)
		fence()
	} else {
		x.Store(v)
	}
}
