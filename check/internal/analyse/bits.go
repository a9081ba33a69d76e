package analyse

import "math/bits"

// set is a set of states.
type set []uint64

func newSet(states int) set { return make(set, (states+63)/64) }

func (b set) has(id uint32) bool { return b[id/64]>>(id%64)&1 != 0 }
func (b set) add(id uint32)      { b[id/64] |= 1 << (id % 64) }

// ranks returns, for each word of the set, how many members the words before it
// have.
func (b set) ranks() []uint32 {
	ranks, count := make([]uint32, len(b)), uint32(0)
	for i, w := range b {
		ranks[i] = count
		count += uint32(bits.OnesCount64(w))
	}
	return ranks
}

// rank returns how many members are less than id.
func (b set) rank(ranks []uint32, id uint32) uint32 {
	return ranks[id/64] + uint32(bits.OnesCount64(b[id/64]&(1<<(id%64)-1)))
}
