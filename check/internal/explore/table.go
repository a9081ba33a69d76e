package explore

import (
	"runtime"
	"sync/atomic"
)

// table is the set of visited states: the states themselves in the order in
// which they were found, and an open-addressing hash table of their numbers.
// Inserting is safe for several workers at once; growing is not.
type table struct {
	words  int
	chunks [][]uint64 // states, chunkStates to a chunk
	slots  []uint32   // number+1 in the low bits, some bits of the hash above; 0 is empty
	count  atomic.Uint32
}

const (
	chunkBits   = 10
	chunkStates = 1 << chunkBits
	idBits      = 28
	idMask      = 1<<idBits - 1
	busy        = ^uint32(0) // a slot whose state is being written

	// MostStates is the most states that a table can hold.
	MostStates = 1<<idBits - 2
)

func newTable(words int) *table {
	return &table{words: words, slots: make([]uint32, 1<<12)}
}

// state returns state number id.
func (t *table) state(id uint32) []uint64 {
	at := int(id&(chunkStates-1)) * t.words
	return t.chunks[id>>chunkBits][at : at+t.words : at+t.words]
}

func hash(s []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range s {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// insert returns the number of state s and whether it is new.
func (t *table) insert(s []uint64) (uint32, bool) {
	h := hash(s)
	tag := uint32(h>>60) << idBits
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := &t.slots[i]
		v := atomic.LoadUint32(slot)
		if v == 0 {
			if atomic.CompareAndSwapUint32(slot, 0, busy) {
				id := t.count.Add(1) - 1
				copy(t.state(id), s)
				atomic.StoreUint32(slot, tag|(id+1))
				return id, true
			}
			v = atomic.LoadUint32(slot)
		}
		for v == busy {
			runtime.Gosched()
			v = atomic.LoadUint32(slot)
		}
		if v&^idMask == tag {
			if id := v&idMask - 1; same(t.state(id), s) {
				return id, false
			}
		}
	}
}

func same(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// fits reports whether count states fit without growing.
func (t *table) fits(count int) bool {
	return count <= len(t.chunks)*chunkStates && count <= len(t.slots)/4*3
}

// after returns the bytes that the table takes once it can hold count states.
func (t *table) after(count int) int64 {
	slots := len(t.slots)
	for count > slots/4*3 {
		slots *= 2
	}
	chunks := (count + chunkStates - 1) / chunkStates
	return int64(slots)*4 + int64(chunks)*chunkStates*int64(t.words)*8
}

// grow makes room for count states.
func (t *table) grow(count int) {
	for len(t.chunks)*chunkStates < count {
		t.chunks = append(t.chunks, make([]uint64, chunkStates*t.words))
	}
	size := len(t.slots)
	for count > size/4*3 {
		size *= 2
	}
	if size == len(t.slots) {
		return
	}
	slots := make([]uint32, size)
	mask := uint64(size - 1)
	for _, v := range t.slots {
		if v == 0 {
			continue
		}
		i := hash(t.state(v&idMask-1)) & mask
		for slots[i] != 0 {
			i = (i + 1) & mask
		}
		slots[i] = v
	}
	t.slots = slots
}
