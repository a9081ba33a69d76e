package explore

import (
	"slices"
	"sync/atomic"

	"shmbench/check/internal/crew"
)

// table is the set of visited states: an open-addressing hash table of their
// numbers, into which several workers look at once. What has been found in the
// chunk that is being explored has no number yet: pending and the least edge that
// has led to it stand for it.
type table struct {
	slots []uint32 // number+1 in the low bits, some bits of the hash above; 0 is empty
}

const (
	idBits = 29
	idMask = 1<<idBits - 1

	// MostStates is the most states that a graph can have.
	MostStates = pending - chunkEdges*mostWorkers
	// pending is above the numbers of states, and leaves room for the edges of a
	// chunk.
	pending = idMask - chunkEdges*mostWorkers
)

// hash spreads a state over 64 bits. A slot is chosen by bits from the lowest
// on, and what it holds of the hash are the bits from idBits to 31.
func hash(s []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range s {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// slotsFor returns how many slots there are for count states, at least so many.
func slotsFor(slots, count int) int {
	slots = max(slots, 1<<8)
	for count > slots/4*3 {
		slots *= 2
	}
	return slots
}

// room makes room for count states. The first known of them are there already. each has
// every worker do a part.
func (t *table) room(known, count int, states *rows[uint64], each func(little bool, work func(worker int))) {
	size := slotsFor(len(t.slots), count)
	if size == len(t.slots) {
		return
	}
	t.slots = nil // it can go before the larger one comes
	t.slots = make([]uint32, size)
	ranges := crew.NewRanges(0, known, fewStates)
	each(known < fewStates, func(int) {
		for lo, hi := range ranges.All() {
			t.enter(uint32(lo), uint32(hi), states)
		}
	})
}

// enter enters the states from one number up to another, which are not there. It
// returns what depends on all the slots that were looked at.
func (t *table) enter(from, to uint32, states *rows[uint64]) (seen uint64) {
	var hashes [ahead]uint64
	mask := uint64(len(t.slots) - 1)
	for ; from < to; from += ahead {
		some := hashes[:min(ahead, to-from)]
		for k := range some {
			some[k] = hash(states.at(from + uint32(k)))
			seen += uint64(atomic.LoadUint32(&t.slots[some[k]&mask])) // brings it into the processor's caches
		}
		for k, h := range some {
			i := h & mask
			for !atomic.CompareAndSwapUint32(&t.slots[i], 0, uint32(h)&^idMask|(from+uint32(k)+1)) {
				i = (i + 1) & mask
			}
		}
	}
	return seen
}

// find returns the number of the state s as it was before, or None if it was not
// there, and its slot. It has the given number if that is less, afterwards. Of
// states whose number is pending, out has the one of each edge.
func (t *table) find(h uint64, s []uint64, number uint32, states *rows[uint64], out []uint64) (before, place uint32) {
	tag := uint32(h) &^ idMask
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := &t.slots[i]
		v := atomic.LoadUint32(slot)
		if v == 0 {
			if atomic.CompareAndSwapUint32(slot, 0, tag|(number+1)) {
				return None, uint32(i)
			}
			v = atomic.LoadUint32(slot)
		}
		if v&^idMask != tag {
			continue
		}
		id := v&idMask - 1
		if id < pending {
			if slices.Equal(states.at(id), s) {
				return id, uint32(i)
			}
			continue
		}
		if !slices.Equal(out[int(id-pending)*len(s):][:len(s)], s) {
			continue
		}
		for id > number && !atomic.CompareAndSwapUint32(slot, v, tag|(number+1)) {
			v = atomic.LoadUint32(slot)
			id = v&idMask - 1
		}
		return id, uint32(i)
	}
}

// touch brings what find will look at into the processor's caches: loads that
// do not depend on one another overlap. It returns what depends on them all.
func (t *table) touch(hashes []uint64, states *rows[uint64]) (sum uint64) {
	var at [2 * ahead]uint32
	mask := uint64(len(t.slots) - 1)
	for j, h := range hashes {
		at[j] = atomic.LoadUint32(&t.slots[h&mask])
	}
	for j, h := range hashes {
		if id := at[j]&idMask - 1; id < pending && (at[j]^uint32(h))&^idMask == 0 {
			sum ^= states.at(id)[0]
		}
	}
	return sum
}
