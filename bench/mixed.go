package bench

import (
	"shmbench/shm"
	"shmbench/shm/register"
)

// The operations of mixed. Each is a swap, a load and a release store, of registers on cache
// lines of their own that no other process uses.
const (
	MixedIndependent = "mixed-independent" // no operation uses the result of another one
	MixedDependent   = "mixed-dependent"   // the result of each operation chooses the next register
)

// mixed returns a swap, a load and a release store, as an uncontended passage has them, in two
// forms. A processor overlaps independent operations with one another and with the code
// between them. It cannot overlap dependent ones. Locks have both. So the two times, less the
// times of the single operations, say what an access costs besides its operation.
func mixed() []operation {
	const each = 2 // registers of each kind of operation; a result chooses one
	registers := shm.NewArray[register.Uint32](3*each, shm.Padded)
	return []operation{
		loop(MixedIndependent, func(n int) {
			swapped, loaded, stored := registers.At(0), registers.At(each), registers.At(2*each)
			for range n {
				swapped.Swap(0)
				if loaded.Load() != 0 {
					stored.Store(1)
				}
				stored.StoreRelease(0)
			}
		}),
		loop(MixedDependent, func(n int) {
			r := registers
			for range n {
				x := r.At(0).Swap(0) // 0, as all registers hold
				y := r.At(each + int(x)).Load()
				r.At(2*each + int(y)).StoreRelease(y)
			}
		}),
	}
}
