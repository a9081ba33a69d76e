// Package counting is a twin of sync/atomic that counts the stores and the
// read-modify-writes of one goroutine. A build overlay puts it in the place of
// sync/atomic in the algorithms' source, to see what a passage is made of. It
// is not atomic.
package counting

// Counts are how often each operation was done since Reset, by name:
// "store-bool", "swap-pointer".
func Counts() map[string]int { return counts }

// Reset begins a new count.
func Reset() { counts = map[string]int{} }

var counts = map[string]int{}

func count(op string) { counts[op]++ }

// Bool is atomic.Bool, counted.
type Bool struct{ v bool }

func (x *Bool) Load() bool { return x.v }

func (x *Bool) Store(val bool) {
	count("store-bool")
	x.v = val
}

func (x *Bool) Swap(new bool) (old bool) {
	count("swap-bool")
	old, x.v = x.v, new
	return old
}

func (x *Bool) CompareAndSwap(old, new bool) (swapped bool) {
	count("cas-bool")
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

// Uint32 is atomic.Uint32, counted.
type Uint32 struct{ v uint32 }

func (x *Uint32) Load() uint32 { return x.v }

func (x *Uint32) Store(val uint32) {
	count("store-uint32")
	x.v = val
}

func (x *Uint32) Swap(new uint32) (old uint32) {
	count("swap-uint32")
	old, x.v = x.v, new
	return old
}

func (x *Uint32) CompareAndSwap(old, new uint32) (swapped bool) {
	count("cas-uint32")
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func (x *Uint32) Add(delta uint32) (new uint32) {
	count("add-uint32")
	x.v += delta
	return x.v
}

// Uint64 is atomic.Uint64, counted.
type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64 { return x.v }

func (x *Uint64) Store(val uint64) {
	count("store-uint64")
	x.v = val
}

func (x *Uint64) Swap(new uint64) (old uint64) {
	count("swap-uint64")
	old, x.v = x.v, new
	return old
}

func (x *Uint64) CompareAndSwap(old, new uint64) (swapped bool) {
	count("cas-uint64")
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

func (x *Uint64) Add(delta uint64) (new uint64) {
	count("add-uint64")
	x.v += delta
	return x.v
}

// Pointer is atomic.Pointer, counted.
type Pointer[T any] struct{ v *T }

func (x *Pointer[T]) Load() *T { return x.v }

func (x *Pointer[T]) Store(val *T) {
	count("store-pointer")
	x.v = val
}

func (x *Pointer[T]) Swap(new *T) (old *T) {
	count("swap-pointer")
	old, x.v = x.v, new
	return old
}

func (x *Pointer[T]) CompareAndSwap(old, new *T) (swapped bool) {
	count("cas-pointer")
	if x.v != old {
		return false
	}
	x.v = new
	return true
}
