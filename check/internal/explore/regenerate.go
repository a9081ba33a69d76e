package explore

import (
	"math/bits"
	"sync/atomic"
)

// Regenerator computes the successors of states anew, for one goroutine, where the edges were not kept. It
// looks them up in the table of visited states, so every state must have been visited.
type Regenerator struct {
	g      *Graph
	sys    System
	out    []uint64 // the successors that are to be looked up together, one after another
	hashes []uint64
	place  []int // of each of them in rows
	rows   []uint32
	seen   uint64 // what touch has read
}

// Regenerator returns what computes the successors of a graph's states anew, by the steps of the graph's system or of
// another one with the same states.
func (g *Graph) Regenerator(sys System) *Regenerator {
	return &Regenerator{g: g, sys: sys, out: make([]uint64, (ahead+sys.Actors())*g.states.per)}
}

// Rows returns the successors of some states by actor, a row of them for each state, with None where there
// is no successor. The next call overwrites the rows.
func (r *Regenerator) Rows(ids []uint32) []uint32 {
	words, actors := r.g.states.per, r.sys.Actors()
	r.rows = r.rows[:0]
	for _, id := range ids {
		row := len(r.rows)
		for range actors {
			r.rows = append(r.rows, None)
		}
		// The successors lie where their actors say, with gaps: the next ones begin behind the last.
		first := len(r.hashes)
		out := r.out[first*words:]
		enabled, _ := r.sys.Expand(r.g.State(id), out[:actors*words])
		for k := 0; enabled != 0; k++ {
			actor := bits.TrailingZeros64(enabled)
			enabled &= enabled - 1
			to := out[k*words:][:words]
			copy(to, out[actor*words:][:words])
			r.hashes, r.place = append(r.hashes, hash(to)), append(r.place, row+actor)
		}
		if len(r.hashes) >= ahead {
			r.lookUp()
		}
	}
	r.lookUp()
	return r.rows
}

// lookUp finds the numbers of the successors that have been made.
func (r *Regenerator) lookUp() {
	g, words := r.g, r.g.states.per
	r.seen = g.visited.touch(r.hashes, &g.states)
	for k, h := range r.hashes {
		r.rows[r.place[k]] = g.visited.number(h, r.out[k*words:][:words], &g.states)
	}
	r.hashes, r.place = r.hashes[:0], r.place[:0]
}

// row returns the successors of one state.
func (g *Graph) row(id uint32) []uint32 {
	r, ok := g.regenerators.Get().(*Regenerator)
	if !ok {
		r = g.Regenerator(g.Sys)
	}
	defer g.regenerators.Put(r)
	return append([]uint32(nil), r.Rows([]uint32{id})...)
}

// number returns the number of a state that is in the table, or None for another.
func (t *table) number(h uint64, s []uint64, states *rows[uint64]) uint32 {
	tag := uint32(h) &^ idMask
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		v := atomic.LoadUint32(&t.slots[i])
		if v == 0 {
			return None
		}
		if v&^idMask != tag {
			continue
		}
		if id := v&idMask - 1; equal(states.at(id), s) {
			return id
		}
	}
}

// equal reports whether two states of equal length are the same.
func equal(a, b []uint64) bool {
	for i, w := range a {
		if b[i] != w {
			return false
		}
	}
	return true
}
