package explore

import (
	"math/bits"
	"slices"
)

// worker is one of the goroutines that explore. It takes part after part of a
// chunk, expands its states and looks their successors up.
type worker struct {
	e     *explorer
	edges int64
	stop  bool
	parts []uint32 // the first states of the parts that it has taken
	// The successors that are to be looked up together.
	ahead  []uint32 // their edges
	hashes []uint64
	// entered is the edges that were the first to be looked up of those to a state,
	// and its slot; open is the others to states which have no number yet, and one
	// that was looked up before. found has a bit for each edge: the sum of the
	// workers' is a set, of the edges that have found a state first.
	entered, open []pair
	found         []uint64
	seen          uint64 // what touch has read
	bad           [8]struct {
		found bool
		id    uint32
	}
}

// pair is an edge and what it leads to.
type pair struct{ edge, to uint32 }

// expand makes the successors of parts of the chunk, and looks them up, as long
// as there are any; words is how many words a set of edges takes.
func (w *worker) expand(words int) {
	e := w.e
	w.parts, w.entered, w.open = w.parts[:0], w.entered[:0], w.open[:0]
	w.found = slices.Grow(w.found[:0], words)[:words]
	clear(w.found)
	for !w.stop {
		from := e.next.Add(partStates) - partStates
		if from >= e.end {
			break
		}
		w.parts = append(w.parts, from)
		for id := from; id < min(from+partStates, e.end) && !w.stop; id++ {
			w.step(id)
		}
	}
	w.lookUp()
}

// step makes the successors of a state.
func (w *worker) step(id uint32) {
	e, g := w.e, w.e.g
	words, actors := g.states.per, g.succ.per
	first := (id - e.first) << e.shift
	out := e.out[int(first)*words:][:actors*words]
	enabled, bad := g.Sys.Expand(g.states.at(id), out)
	if bad != 0 {
		w.note(id, bad)
	}
	if e.o.Keep {
		succ := g.succ.at(id)
		for a := range succ {
			succ[a] = None
		}
	}
	w.edges += int64(bits.OnesCount64(enabled))
	for ; enabled != 0; enabled &= enabled - 1 {
		a := bits.TrailingZeros64(enabled)
		w.ahead, w.hashes = append(w.ahead, first+uint32(a)), append(w.hashes, hash(out[a*words:][:words]))
	}
	if len(w.ahead) >= ahead {
		w.lookUp()
	}
}

// ahead is how many successors are looked up at once: their places in the table
// come from memory while others are on their way.
const ahead = 64

// lookUp looks up the successors that have been made.
func (w *worker) lookUp() {
	e, g := w.e, w.e.g
	words := g.states.per
	w.seen = e.visited.touch(w.hashes, &g.states)
	for k, edge := range w.ahead {
		number, place := e.visited.find(w.hashes[k], e.out[int(edge)*words:][:words], pending+edge, &g.states, e.out)
		switch {
		case number == None:
			w.found[edge/64] += 1 << (edge % 64)
			w.entered = append(w.entered, pair{edge, place})
		case number < pending:
			if e.o.Keep {
				w.lead(edge, number)
			}
		default:
			other := number - pending
			if edge < other {
				w.found[edge/64] += 1 << (edge % 64)
				w.found[other/64] -= 1 << (other % 64)
				e.instead[other] = edge
				other = edge
			}
			if e.o.Keep {
				w.open = append(w.open, pair{edge, other})
			}
		}
	}
	w.ahead, w.hashes = w.ahead[:0], w.hashes[:0]
}

// lead notes where an edge leads.
func (w *worker) lead(edge, to uint32) {
	w.e.g.succ.at(w.e.first + edge>>w.e.shift)[edge&(1<<w.e.shift-1)] = to
}

// settle gives the states that were found their numbers, and keeps those that
// were found first in the worker's parts.
func (w *worker) settle() {
	e, g := w.e, w.e.g
	for _, o := range w.entered {
		slot := &e.visited.slots[o.to]
		id := e.id(*slot&idMask - 1 - pending)
		*slot = *slot&^idMask | (id + 1)
		if e.o.Keep {
			w.lead(o.edge, id)
		}
	}
	for _, o := range w.open {
		for e.found[o.to/64]>>(o.to%64)&1 == 0 {
			o.to = e.instead[o.to]
		}
		w.lead(o.edge, e.id(o.to))
	}
	words := g.states.per
	for _, from := range w.parts {
		first := int(from-e.first) << e.shift / 64
		last := (int(min(from+partStates, e.end)-e.first)<<e.shift + 63) / 64
		for i := first; i < last; i++ {
			id := uint32(g.States) + e.rank[i]
			for set := e.found[i]; set != 0; set &= set - 1 {
				edge := i*64 + bits.TrailingZeros64(set)
				copy(g.states.at(id), e.out[edge*words:(edge+1)*words])
				id++
			}
		}
	}
}

// note remembers, for each fault, the least state of the level that has it.
func (w *worker) note(id uint32, bad Bad) {
	w.stop = w.stop || bad&Stop != 0
	for i := range w.bad {
		if bad>>i&1 == 0 {
			continue
		}
		b := &w.bad[i]
		if g := w.e.g; !b.found || slices.Compare(g.State(id), g.State(b.id)) < 0 {
			b.found, b.id = true, id
		}
	}
}

// report merges what the worker has noted on this level.
func (w *worker) report() {
	g := w.e.g
	level := g.levels[len(g.levels)-1]
	for i := range w.bad {
		b := &w.bad[i]
		if !b.found {
			continue
		}
		b.found = false
		old, known := g.Bad[1<<i]
		if !known || old >= level && slices.Compare(g.State(b.id), g.State(old)) < 0 {
			g.Bad[1<<i] = b.id
		}
	}
}
