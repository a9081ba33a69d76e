// Package explore visits every state that a system of processes can reach,
// level by level, with several workers.
package explore

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/crew"
	"shmbench/check/internal/symmetry"
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

// Party is a system in which a step may have several outcomes. The steps of
// party p of Parties are made by the actors p, p+Parties, p+2*Parties, and so on.
type Party interface {
	System
	Parties() int
}

// Chooser is a system in which the outcome of a step may be drawn.
type Chooser interface {
	Party
	// Draws reports whether which outcome the next step of a party has is drawn,
	// rather than a matter of when it is made.
	Draws(s []uint64, party int) bool
}

// Bad is a set of faults of a state.
type Bad uint8

// The faults. Missing and Stop are not faults of the state: Missing ends the
// exploration with the states that are as far from the initial one as this, Stop
// at once.
const (
	Exclusion Bad = 1 << iota // two processes in their critical sections
	Race                      // two conflicting accesses at once, one of them plain
	Panic                     // a process cannot go on
	Beyond                    // a process would do what cannot be modeled
	Missing                   // a process would do what the model does not have
	Stop
	Reentry // a process is in its critical section, and another has crashed in its own
	Outcome // Recover has returned an unknown outcome
)

// None is the successor by an actor that has none.
const None = ^uint32(0)

// Options bound and report an exploration.
type Options struct {
	Workers   int
	MaxStates int
	MaxBytes  int64
	// Large is called before the tables take more than LargeBytes, where it is not
	// nil, and again and again from then on.
	Large      func()
	LargeBytes int64
	Keep       bool // keep the edges, for Graph.Next
	// StatesOnly says that the successors of a state are to be computed anew when they are needed. A stage that
	// would set Keep leaves it false then.
	StatesOnly bool
	// Symmetries, if not nil, finds the symmetries up to which Reduce counts states.
	Symmetries func(m *automaton.Model) []symmetry.Renaming
	// Steps says which steps Search makes, if StatesOnly is set. Otherwise it makes all.
	Steps Steps
	// Checkpoint, if not nil, keeps the exploration of a Digester without its edges.
	Checkpoint *Checkpoint
	Progress   func(Progress)
}

// Progress is how far an exploration has come.
type Progress struct {
	States, Depth int
	Frontier      int // states that were found and not expanded yet
	Bytes         int64
	Elapsed       time.Duration
	Learning      bool // the states tell which values occur, and are explored again
}

// Graph is the visited part of the state graph. States are numbered from 0, the initial one,
// in the order of a breadth-first search by one worker, actor by actor. The number of workers
// does not change the order.
type Graph struct {
	Sys          System
	States       int
	Edges        int64
	Depth        int   // the greatest distance
	Bytes        int64 // of the visited table
	Exhausted    bool
	Elapsed      time.Duration
	Bad          map[Bad]uint32 // for each fault, a nearest state that has it
	kept         bool           // the edges are
	levels       []uint32       // by distance: the first state
	states       rows[uint64]
	succ         rows[uint32]
	visited      table     // if the edges were not kept
	regenerators sync.Pool // of *Regenerator
}

// State returns state number id.
func (g *Graph) State(id uint32) []uint64 { return g.states.at(id) }

// Next returns the successor of a state by an actor, or None.
func (g *Graph) Next(id uint32, actor int) uint32 { return g.Successors(id)[actor] }

// Successors returns the successors of a state by actor, None where there is
// none. They are the graph's. If the edges were not kept, it computes them anew.
func (g *Graph) Successors(id uint32) []uint32 {
	if !g.kept {
		return g.row(id)
	}
	return g.succ.at(id)
}

// Last returns the first of the states that are as far from the initial one as
// any that was expanded.
func (g *Graph) Last() uint32 { return g.levels[g.Depth] }

// Levels returns, for each distance from the initial state, the first state that
// is as far. They are the graph's.
func (g *Graph) Levels() []uint32 { return g.levels }

const (
	// A chunk is the states that are expanded, and their successors looked up,
	// before what was found is numbered: as many as have chunkEdges successors a
	// worker, at most. The workers take partStates of them at a time.
	chunkEdges = 1 << 14
	partStates = 64
	// Fewer states than that are not worth the second worker. With reductions, a state takes some ten microseconds.
	fewStates = 1 << 8
	// mostWorkers is the most workers that there are.
	mostWorkers = 64
)

// Run explores a system.
func Run(ctx context.Context, sys System, o Options) *Graph {
	o.Workers = min(max(o.Workers, 1), mostWorkers)
	if o.MaxStates <= 0 || o.MaxStates > MostStates {
		o.MaxStates = MostStates
	}
	e := &explorer{ctx: ctx, o: o, start: time.Now(), shift: bits.Len(uint(sys.Actors() - 1))}
	e.last = e.start
	e.g = &Graph{Sys: sys, kept: o.Keep, Bad: map[Bad]uint32{}, states: rows[uint64]{per: sys.Words()}, succ: rows[uint32]{per: sys.Actors()}}
	for range o.Workers {
		e.workers = append(e.workers, &worker{e: e})
	}
	e.run()
	if o.StatesOnly {
		e.g.visited = e.visited
	}
	e.g.Bytes = e.table(e.g.States)
	e.g.Elapsed = time.Since(e.start)
	return e.g
}

type explorer struct {
	ctx     context.Context
	o       Options
	g       *Graph
	visited table
	workers []*worker
	start   time.Time
	last    time.Time // when progress was reported last
	stopped bool

	// The chunk that is being explored: its states, and the part that is next. An
	// edge has as its number that of its state in the chunk, shifted, and the
	// actor. There is, for each edge, the successor, and if another edge has proved
	// to be the first that leads there, that one; and for each 64 edges, which of
	// them are the first to find a state, and how many are before.
	first, end uint32
	next       atomic.Uint32
	// The next state of the level that is expanded, and the first state of the next level.
	at, to  uint32
	shift   int
	out     []uint64
	instead []uint32
	found   []uint64
	rank    []uint32
}

func (e *explorer) run() {
	g := e.g
	keep := e.checkpoint()
	if keep == nil || !keep.begin(e) {
		e.seed()
		e.level(0)
	} else { // where nothing is left to explore, the successors are looked up all the same
		e.visited.room(g.States, g.States, &g.states, e.each)
	}
	e.stopped = keep != nil && keep.err != nil
	for !e.stopped {
		if e.at == e.to {
			if e.endLevel(); e.stopped || int(e.to) == g.States {
				break
			}
			e.level(e.to)
		}
		e.at = uint32(e.chunk(int(e.at), int(e.to)))
		if keep != nil && !e.stopped {
			keep.save(e.place(), e)
			e.stopped = keep.err != nil
		}
	}
	e.endLevel()
	if g.Exhausted = !e.stopped; g.Exhausted && e.o.Progress != nil {
		e.o.Progress(e.progress(time.Now()))
	}
}

// checkpoint is what keeps this exploration, or nil.
func (e *explorer) checkpoint() *Checkpoint {
	if _, ok := e.g.Sys.(Digester); !ok || e.o.Keep {
		return nil
	}
	return e.o.Checkpoint
}

// level begins the level whose first state is given, with all states from there on.
func (e *explorer) level(from uint32) {
	e.at, e.to = from, uint32(e.g.States)
	e.g.levels = append(e.g.levels, from)
}

// endLevel merges what the workers have found on a level.
func (e *explorer) endLevel() {
	g := e.g
	for _, w := range e.workers {
		w.report()
		g.Edges, w.edges = g.Edges+w.edges, 0
	}
	g.Depth = len(g.levels) - 1
	_, missing := g.Bad[Missing]
	e.stopped = e.stopped || missing
}

// place is where the exploration is, for a checkpoint.
func (e *explorer) place() record {
	r := record{At: e.at, To: e.to, Edges: e.g.Edges, Bad: e.g.Bad, Noted: map[Bad]uint32{}}
	for _, w := range e.workers {
		r.Edges += w.edges
		for i, b := range w.bad {
			least, known := r.Noted[1<<i]
			if b.found && (!known || slices.Compare(e.g.State(b.id), e.g.State(least)) < 0) {
				r.Noted[1<<i] = b.id
			}
		}
	}
	return r
}

// continueAt makes the exploration be where a record says. The states are there already.
func (e *explorer) continueAt(r record) {
	g := e.g
	g.States += r.States
	g.levels = append(g.levels, r.Levels...)
	g.Edges, g.Bad, e.at, e.to = r.Edges, r.Bad, r.At, r.To
	w := e.workers[0]
	for i := range w.bad {
		w.bad[i].id, w.bad[i].found = r.Noted[1<<i], false
		_, w.bad[i].found = r.Noted[1<<i]
	}
	g.Depth = len(g.levels) - 1
}

// seed makes the initial state number 0.
func (e *explorer) seed() {
	g := e.g
	e.grow(1)
	s := g.states.at(0)
	g.Sys.Initial(s)
	e.visited.room(0, 1, &g.states, e.each)
	e.visited.find(hash(s), s, 0, &g.states, nil)
	g.States = 1
}

// grow makes room for more states.
func (e *explorer) grow(count int) {
	e.g.states.grow(count)
	if e.o.Keep {
		e.g.succ.grow(count)
	}
}

// each has every worker do a work. If the work is little, one goroutine does the
// works of all.
func (e *explorer) each(little bool, work func(worker int)) {
	if !little {
		crew.Do(len(e.workers), work)
		return
	}
	for i := range e.workers {
		work(i)
	}
}

// chunk explores as many of the states from at to to as make a chunk, and
// returns which is next.
func (e *explorer) chunk(at, to int) (next int) {
	g := e.g
	actors := g.succ.per
	room := max(e.o.MaxStates-g.States, 0)
	size := max(chunkEdges>>e.shift/partStates, 1) * partStates * len(e.workers)
	size = min(size, (room/actors+partStates)/partStates*partStates)
	next = min(to, at+size)
	most := g.States + (next-at)*actors
	if g.States > e.o.MaxStates || e.ctx.Err() != nil || e.o.MaxBytes > 0 && e.bytes(most) > e.o.MaxBytes {
		e.stopped = true
		return next
	}
	if e.o.Large != nil && e.bytes(most) > e.o.LargeBytes {
		waits := time.Now()
		e.o.Large()
		e.start = e.start.Add(time.Since(waits))
	}
	e.grow(most)
	little := next-at < fewStates
	e.visited.room(g.States, most, &g.states, e.each)
	e.first, e.end = uint32(at), uint32(next)
	e.next.Store(e.first)
	edges := (next - at) << e.shift
	if need := edges * g.states.per; len(e.out) < need {
		e.out = make([]uint64, need)
	}
	if len(e.instead) < edges {
		e.instead = make([]uint32, edges)
	}
	words := (edges + 63) / 64
	e.each(little, func(i int) { e.workers[i].expand(words) })
	fresh := e.number(words)
	e.each(little, func(i int) { e.workers[i].settle() })
	g.States += fresh
	for _, w := range e.workers {
		e.stopped = e.stopped || w.stop
	}
	if now := time.Now(); e.o.Progress != nil && now.Sub(e.last) >= 200*time.Millisecond {
		e.last = now
		e.o.Progress(e.progress(now))
	}
	return next
}

// number numbers the states that were found in the order of the edges that led
// to them first, and returns how many there are.
func (e *explorer) number(words int) (fresh int) {
	e.found = append(e.found[:0], make([]uint64, words)...)
	e.rank = append(e.rank[:0], make([]uint32, words)...)
	for i := range e.found {
		set := uint64(0)
		for _, w := range e.workers {
			set += w.found[i]
		}
		e.found[i], e.rank[i] = set, uint32(fresh)
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
	return int64(slotsFor(len(e.visited.slots), count))*4 + int64(capacity(count))*int64(e.g.states.per)*8
}

// bytes returns what the visited table, and the edges if they are kept, take.
func (e *explorer) bytes(count int) int64 {
	b := e.table(count)
	if e.o.Keep {
		b += int64(capacity(count)) * int64(e.g.succ.per) * 4
	}
	return b
}

// progress is how far the exploration has come.
func (e *explorer) progress(now time.Time) Progress {
	return Progress{States: e.g.States, Depth: len(e.g.levels) - 1, Frontier: e.g.States - int(e.end), Bytes: e.bytes(e.g.States), Elapsed: now.Sub(e.start)}
}
