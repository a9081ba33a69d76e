// Package explore visits every state that a system of processes can reach,
// level by level, with several workers.
package explore

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"shmbench/check/internal/crew"
)

// System is what is explored: an initial state and, for each state, at most
// one successor by each of a fixed number of actors. A state is a fixed number
// of words. Expand may be called from several goroutines.
type System interface {
	Words() int
	Actors() int // at most 64
	Initial(s []uint64)
	// Expand writes the successor by actor a to out[a*Words():], for each
	// actor in the set that it returns, and says what is wrong with s.
	Expand(s, out []uint64) (enabled uint64, bad Bad)
}

// Bad is a set of faults of a state.
type Bad uint8

// The faults. Stop is not a fault of the state but ends the exploration.
const (
	Exclusion Bad = 1 << iota // two processes in their critical sections
	Race                      // two conflicting accesses at once, one of them plain
	Crash                     // a process cannot go on
	Beyond                    // a process would do what cannot be modelled
	Stop
)

// None is the successor by an actor that has none.
const None = ^uint32(0)

// Options bound and report an exploration.
type Options struct {
	Workers   int
	MaxStates int
	MaxBytes  int64
	Keep      bool // keep the edges, for Graph.Next
	Progress  func(Progress)
}

// Progress is how far an exploration has come.
type Progress struct {
	States, Depth int
	Bytes         int64
	Elapsed       time.Duration
}

// Graph is what has been visited. States are numbered from 0, the initial one,
// as a search breadth first by one worker meets them, actor by actor, however
// many workers there were.
type Graph struct {
	Sys       System
	States    int
	Edges     int64
	Depth     int   // the greatest distance
	Bytes     int64 // of the visited table
	Exhausted bool
	Elapsed   time.Duration
	Bad       map[Bad]uint32 // for each fault, a nearest state that has it
	levels    []uint32       // by distance: the first state
	states    rows[uint64]
	succ      rows[uint32]
}

// State returns state number id.
func (g *Graph) State(id uint32) []uint64 { return g.states.at(id) }

// Next returns the successor of a state by an actor, or None.
func (g *Graph) Next(id uint32, actor int) uint32 { return g.succ.at(id)[actor] }

// Successors returns the successors of a state by actor, None where there is
// none. They are the graph's.
func (g *Graph) Successors(id uint32) []uint32 { return g.succ.at(id) }

const (
	// A chunk is the states that are expanded before their successors are looked
	// up: as many as have chunkEdges successors a worker, at most. A worker's part
	// is a multiple of partStates.
	chunkEdges = 1 << 14
	partStates = 64
	// Fewer states than that are not worth the second worker.
	alone = 1 << 10
	// mostWorkers is the most workers that there are.
	mostWorkers = 64
)

// Run explores a system.
func Run(ctx context.Context, sys System, o Options) *Graph {
	o.Workers = min(max(o.Workers, 1), mostWorkers)
	if o.MaxStates <= 0 || o.MaxStates > MostStates {
		o.MaxStates = MostStates
	}
	e := &explorer{ctx: ctx, o: o, start: time.Now()}
	e.last = e.start
	e.g = &Graph{Sys: sys, Bad: map[Bad]uint32{}, states: rows[uint64]{per: sys.Words()}, succ: rows[uint32]{per: sys.Actors()}}
	for range o.Workers {
		e.workers = append(e.workers, &worker{e: e, queues: make([]queue, o.Workers)})
	}
	defer func() {
		if e.shared != nil {
			e.shared.Dismiss()
		}
	}()
	e.run()
	e.g.Bytes = e.table(e.g.States)
	e.g.Elapsed = time.Since(e.start)
	return e.g
}

type explorer struct {
	ctx     context.Context
	o       Options
	g       *Graph
	workers []*worker
	shared  *crew.Crew // nil before it is needed
	start   time.Time
	last    time.Time // when progress was reported last
	stopped bool

	// The chunk that is being explored: its first state, and for each 64 edges,
	// which of them have found a state, and how many have before.
	first uint32
	found []uint64
	rank  []uint32
}

func (e *explorer) run() {
	g := e.g
	w := e.workers[0]
	w.resize(1, g.Sys.Actors(), g.states.per)
	g.Sys.Initial(w.out[:g.states.per])
	e.seed(w.out[:g.states.per])
	for from, to := 0, 1; from < to && !e.stopped; from, to = to, g.States {
		g.levels = append(g.levels, uint32(from))
		for at := from; at < to && !e.stopped; {
			at = e.chunk(at, to)
		}
		for _, w := range e.workers {
			w.report()
			g.Edges, w.edges = g.Edges+w.edges, 0
		}
		g.Depth = len(g.levels) - 1
	}
	g.Exhausted = !e.stopped
}

// seed makes a state the initial one.
func (e *explorer) seed(s []uint64) {
	g := e.g
	e.grow(1)
	copy(g.states.at(0), s)
	h := hash(s)
	owner := &e.workers[e.owner(h)].shard
	owner.room(1, &g.states)
	owner.find(h, s, 0, 0, &g.states, nil)
	owner.finders, owner.places = owner.finders[:0], owner.places[:0]
	g.States = 1
}

// owner returns the worker whose shard a hash belongs to.
func (e *explorer) owner(h uint64) int { return int(h >> 32 * uint64(len(e.workers)) >> 32) }

// grow makes room for more states.
func (e *explorer) grow(count int) {
	e.g.states.grow(count)
	if e.o.Keep {
		e.g.succ.grow(count)
	}
}

// chunk explores as many of the states from at to to as make a chunk, and
// returns which is next.
func (e *explorer) chunk(at, to int) (next int) {
	g := e.g
	actors := g.succ.per
	room := max(e.o.MaxStates-g.States, 0)
	part := max(chunkEdges/actors/partStates, 1) * partStates
	part = min(part, (room/actors/len(e.workers)+partStates)/partStates*partStates)
	next = min(to, at+part*len(e.workers))
	most := g.States + (next-at)*actors
	if g.States > e.o.MaxStates || e.ctx.Err() != nil || e.o.MaxBytes > 0 && e.bytes(most) > e.o.MaxBytes {
		e.stopped = true
		return next
	}
	e.grow(most)
	e.first = uint32(at)
	for i, w := range e.workers {
		w.from, w.to = uint32(min(at+i*part, next)), uint32(min(at+(i+1)*part, next))
		w.resize(int(w.to-w.from), actors, g.states.per)
	}
	each := func(work func(int)) {
		for i := range e.workers {
			work(i)
		}
	}
	if next-at >= alone {
		if e.shared == nil {
			e.shared = crew.New(len(e.workers))
		}
		each = e.shared.Do
	}
	each(func(i int) { e.workers[i].expand() })
	each(func(i int) { e.workers[i].insert(i) })
	fresh := e.number((next - at) * actors)
	each(func(i int) { e.workers[i].settle() })
	g.States += fresh
	for _, w := range e.workers {
		e.stopped = e.stopped || w.stop
	}
	if e.o.Progress != nil {
		e.progress()
	}
	return next
}

// number numbers the states that were found in the order of the edges that led
// to them first, and returns how many there are.
func (e *explorer) number(edges int) (fresh int) {
	size := (edges + 63) / 64
	e.found = append(e.found[:0], make([]uint64, size)...)
	e.rank = append(e.rank[:0], make([]uint32, size)...)
	for _, w := range e.workers {
		for _, edge := range w.shard.finders {
			e.found[edge/64] |= 1 << (edge % 64)
		}
	}
	for i, set := range e.found {
		e.rank[i] = uint32(fresh)
		fresh += bits.OnesCount64(set)
	}
	return fresh
}

// id returns the number of the state that an edge has found.
func (e *explorer) id(edge uint32) uint32 {
	before := e.found[edge/64] & (1<<(edge%64) - 1)
	return uint32(e.g.States) + e.rank[edge/64] + uint32(bits.OnesCount64(before))
}

// table returns what the visited table takes with so many states.
func (e *explorer) table(count int) int64 {
	slots := 0
	for _, w := range e.workers {
		slots += slotsFor(max(len(w.shard.slots), 1), count/len(e.workers))
	}
	return int64(slots)*4 + int64(capacity(count))*int64(e.g.states.per)*8
}

// bytes returns what the visited table, and the edges if they are kept, take.
func (e *explorer) bytes(count int) int64 {
	b := e.table(count)
	if e.o.Keep {
		b += int64(capacity(count)) * int64(e.g.succ.per) * 4
	}
	return b
}

func (e *explorer) progress() {
	if now := time.Now(); now.Sub(e.last) >= 200*time.Millisecond {
		e.last = now
		e.o.Progress(Progress{e.g.States, len(e.g.levels) - 1, e.bytes(e.g.States), now.Sub(e.start)})
	}
}

// worker is one of the goroutines that explore. It expands a part of each
// chunk, and looks up those successors that belong to its shard, whoever has
// found them.
type worker struct {
	e        *explorer
	from, to uint32   // its part of the chunk
	out      []uint64 // the successors in it, by state and actor
	queues   []queue  // those successors by the worker to whose shard they belong
	edges    int64
	stop     bool
	shard    shard
	bad      [8]struct {
		found bool
		id    uint32
	}
}

// queue is successors that are to be looked up.
type queue struct {
	edges  []uint32 // of the worker's part
	hashes []uint64
	ids    []uint32 // what the owner has found out
}

func (w *worker) resize(states, actors, words int) {
	if need := states * actors * words; len(w.out) < need {
		w.out = make([]uint64, need)
	}
}

// expand makes the successors of the worker's part.
func (w *worker) expand() {
	g := w.e.g
	words, actors := g.states.per, g.succ.per
	for i := range w.queues {
		q := &w.queues[i]
		q.edges, q.hashes = q.edges[:0], q.hashes[:0]
	}
	for id := w.from; id < w.to && !w.stop; id++ {
		first := int(id-w.from) * actors
		enabled, bad := g.Sys.Expand(g.states.at(id), w.out[first*words:(first+actors)*words])
		if bad != 0 {
			w.note(id, bad)
		}
		w.edges += int64(bits.OnesCount64(enabled))
		for ; enabled != 0; enabled &= enabled - 1 {
			edge := first + bits.TrailingZeros64(enabled)
			h := hash(w.out[edge*words : (edge+1)*words])
			q := &w.queues[0]
			if len(w.queues) > 1 {
				q = &w.queues[w.e.owner(h)]
			}
			q.edges, q.hashes = append(q.edges, uint32(edge)), append(q.hashes, h)
		}
	}
}

// ahead is how many successors are looked up at once: their places in the table
// come from memory while others are on their way.
const ahead = 64

// insert looks up what belongs to the worker's shard, number i.
func (w *worker) insert(i int) {
	e, t := w.e, &w.shard
	states, known := &e.g.states, uint32(e.g.States)
	actors, words := e.g.succ.per, states.per
	t.finders, t.places = t.finders[:0], t.places[:0]
	pending := func(edge uint32) []uint64 {
		for _, from := range e.workers {
			if first := (from.from - e.first) * uint32(actors); edge-first < (from.to-from.from)*uint32(actors) {
				return from.out[int(edge-first)*words:][:words]
			}
		}
		panic("explore: internal error: an edge without a worker")
	}
	more := 0
	for _, from := range e.workers {
		more += len(from.queues[i].edges)
	}
	t.room(more, states)
	for _, from := range e.workers {
		q := &from.queues[i]
		q.ids = slices.Grow(q.ids[:0], len(q.edges))[:len(q.edges)]
		first := (from.from - e.first) * uint32(actors)
		for k := 0; k < len(q.edges); k += ahead {
			hashes := q.hashes[k:min(k+ahead, len(q.edges))]
			t.touch(hashes, known, states)
			for j, h := range hashes {
				edge := q.edges[k+j]
				q.ids[k+j] = t.find(h, from.out[int(edge)*words:][:words], first+edge, known, states, pending)
			}
		}
	}
}

// settle notes the successors of the worker's part, the states that were found
// first there, and the numbers of those in the worker's shard.
func (w *worker) settle() {
	e, g := w.e, w.e.g
	known, words, actors := uint32(g.States), g.states.per, g.succ.per
	if e.o.Keep {
		for id := w.from; id < w.to; id++ {
			succ := g.succ.at(id)
			for a := range succ {
				succ[a] = None
			}
		}
		for i := range w.queues {
			q, finders := &w.queues[i], e.workers[i].shard.finders
			for k, edge := range q.edges {
				id := q.ids[k]
				if id >= known {
					id = e.id(finders[id-known])
				}
				g.succ.at(w.from + edge/uint32(actors))[edge%uint32(actors)] = id
			}
		}
	}
	first := int(w.from-e.first) * actors
	last := (first + int(w.to-w.from)*actors + 63) / 64
	for i := first / 64; i < last && w.from < w.to; i++ {
		id := known + e.rank[i]
		for set := e.found[i]; set != 0; set &= set - 1 {
			edge := i*64 + bits.TrailingZeros64(set) - first
			copy(g.states.at(id), w.out[edge*words:(edge+1)*words])
			id++
		}
	}
	for k, place := range w.shard.places {
		slot := &w.shard.slots[place]
		*slot = *slot&^idMask | (e.id(w.shard.finders[k]) + 1)
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
