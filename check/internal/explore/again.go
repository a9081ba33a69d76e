package explore

import (
	"math/bits"
	"sync/atomic"
)

// Again makes the successors of states again, for one goroutine, where the edges were not kept. It
// looks them up in the table of visited states, so every state must have been visited.
type Again struct {
	g      *Graph
	sys    System
	out    []uint64 // the successors that are to be looked up together, one after another
	hashes []uint64
	place  []int // of each of them in rows
	rows   []uint32
	seen   uint64 // what touch has read
}

// Again returns what makes the successors of a graph's states again, by the steps of the graph's system or of
// another one with the same states.
func (g *Graph) Again(sys System) *Again {
	return &Again{g: g, sys: sys, out: make([]uint64, (ahead+sys.Actors())*g.states.per)}
}

// Rows returns the successors of some states by actor, a row of them for each state, with None where there
// is no successor. The next call overwrites the rows.
func (a *Again) Rows(ids []uint32) []uint32 {
	words, actors := a.g.states.per, a.sys.Actors()
	a.rows = a.rows[:0]
	for _, id := range ids {
		row := len(a.rows)
		for range actors {
			a.rows = append(a.rows, None)
		}
		// The successors lie where their actors say, with gaps: the next ones begin behind the last.
		first := len(a.hashes)
		out := a.out[first*words:]
		enabled, _ := a.sys.Expand(a.g.State(id), out[:actors*words])
		for k := 0; enabled != 0; k++ {
			actor := bits.TrailingZeros64(enabled)
			enabled &= enabled - 1
			to := out[k*words:][:words]
			copy(to, out[actor*words:][:words])
			a.hashes, a.place = append(a.hashes, hash(to)), append(a.place, row+actor)
		}
		if len(a.hashes) >= ahead {
			a.lookUp()
		}
	}
	a.lookUp()
	return a.rows
}

// lookUp finds the numbers of the successors that have been made.
func (a *Again) lookUp() {
	g, words := a.g, a.g.states.per
	a.seen = g.visited.touch(a.hashes, &g.states)
	for k, h := range a.hashes {
		a.rows[a.place[k]] = g.visited.number(h, a.out[k*words:][:words], &g.states)
	}
	a.hashes, a.place = a.hashes[:0], a.place[:0]
}

// row returns the successors of one state.
func (g *Graph) row(id uint32) []uint32 {
	a, ok := g.again.Get().(*Again)
	if !ok {
		a = g.Again(g.Sys)
	}
	defer g.again.Put(a)
	return append([]uint32(nil), a.Rows([]uint32{id})...)
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
