package explore

import "slices"

// shard is a part of the set of visited states: an open-addressing hash table
// of the numbers of those whose hash belongs to it. It is one worker's.
type shard struct {
	slots []uint32 // number+1 in the low bits, some bits of the hash above; 0 is empty
	count int
	// What has been found in the chunk that is being explored has no number yet;
	// in the slots it stands as if it were numbered from the first free number.
	finders []uint32 // the edge that led to it first
	places  []uint32 // its slot
	seen    uint64   // what touch has read
}

const (
	idBits = 28
	idMask = 1<<idBits - 1

	// MostStates is the most states that a graph can have.
	MostStates = 1<<idBits - 2*chunkEdges*mostWorkers
)

// hash spreads a state over 64 bits: a shard is chosen by the upper half, a slot
// by bits from the lowest on, and what a slot holds of the hash are the bits from
// idBits to the half.
func hash(s []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range s {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// slotsFor returns how many slots there are for count states.
func slotsFor(slots, count int) int {
	for count > slots/4*3 {
		slots *= 2
	}
	return slots
}

// room makes room for more states.
func (t *shard) room(more int, states *rows[uint64]) {
	size := slotsFor(max(len(t.slots), 1<<8), t.count+more)
	if size == len(t.slots) {
		return
	}
	slots := make([]uint32, size)
	mask := uint64(size - 1)
	for _, v := range t.slots {
		if v == 0 {
			continue
		}
		i := hash(states.at(v&idMask-1)) & mask
		for slots[i] != 0 {
			i = (i + 1) & mask
		}
		slots[i] = v
	}
	t.slots = slots
}

// find returns the number of the state s, if it is below known, or where it
// stands among those that have no number yet, from known on; edge has led to it.
// pending gives these by the edge that led to them first.
func (t *shard) find(h uint64, s []uint64, edge, known uint32, states *rows[uint64], pending func(edge uint32) []uint64) uint32 {
	tag := uint32(h) &^ idMask
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		v := t.slots[i]
		if v == 0 {
			id := known + uint32(len(t.finders))
			t.slots[i] = tag | (id + 1)
			t.finders, t.places = append(t.finders, edge), append(t.places, uint32(i))
			t.count++
			return id
		}
		if v&^idMask != tag {
			continue
		}
		id := v&idMask - 1
		if id < known {
			if slices.Equal(states.at(id), s) {
				return id
			}
		} else if slices.Equal(pending(t.finders[id-known]), s) {
			return id
		}
	}
}

// touch brings what find will look at into the processor's caches: loads that
// do not depend on one another overlap.
func (t *shard) touch(hashes []uint64, known uint32, states *rows[uint64]) {
	var at [ahead]uint32
	mask := uint64(len(t.slots) - 1)
	for j, h := range hashes {
		at[j] = t.slots[h&mask]
	}
	sum := uint64(0)
	for j, h := range hashes {
		if id := at[j]&idMask - 1; id < known && (at[j]^uint32(h))&^idMask == 0 {
			sum ^= states.at(id)[0]
		}
	}
	t.seen = sum
}
