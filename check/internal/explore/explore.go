// Package explore visits every state that a system of processes can reach,
// level by level, with several workers.
package explore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
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
// in the order of their distance from it.
type Graph struct {
	Sys         System
	States      int
	Edges       int64
	Depth       int   // the greatest distance
	Bytes       int64 // of the visited table
	Exhausted   bool
	Elapsed     time.Duration
	Bad         map[Bad]uint32 // for each fault, a nearest state that has it
	table       *table
	succ        [][]uint32
	actors      int
	levelStarts []uint32
}

// State returns state number id.
func (g *Graph) State(id uint32) []uint64 { return g.table.state(id) }

// Next returns the successor of a state by an actor, or None.
func (g *Graph) Next(id uint32, actor int) uint32 {
	return g.succ[id>>chunkBits][int(id&(chunkStates-1))*g.actors+actor]
}

const batch = 256

// Run explores a system.
func Run(ctx context.Context, sys System, o Options) *Graph {
	o.Workers = max(o.Workers, 1)
	if o.MaxStates <= 0 || o.MaxStates > MostStates {
		o.MaxStates = MostStates
	}
	e := &explorer{ctx: ctx, o: o, start: time.Now()}
	e.g = &Graph{Sys: sys, table: newTable(sys.Words()), actors: sys.Actors(), Bad: map[Bad]uint32{}}
	e.last = e.start
	e.run()
	e.g.States = int(e.g.table.count.Load())
	e.g.Bytes = e.g.table.after(e.g.States)
	e.g.Elapsed = time.Since(e.start)
	return e.g
}

type explorer struct {
	ctx     context.Context
	o       Options
	g       *Graph
	mu      sync.RWMutex // held for writing while the table grows
	cursor  atomic.Int64
	stopped atomic.Bool
	edges   atomic.Int64
	start   time.Time
	telling sync.Mutex // held while progress is reported
	last    time.Time  // when that was done last
}

func (e *explorer) run() {
	g := e.g
	first := make([]uint64, g.table.words)
	g.Sys.Initial(first)
	e.room(1)
	g.table.insert(first)
	workers := make([]*worker, e.o.Workers)
	for i := range workers {
		workers[i] = &worker{e: e, out: make([]uint64, g.actors*g.table.words)}
	}
	for from, to := int64(0), int64(1); from < to && !e.stopped.Load(); from, to = to, int64(g.table.count.Load()) {
		g.levelStarts = append(g.levelStarts, uint32(from))
		e.cursor.Store(from)
		if to-from <= batch || len(workers) == 1 {
			workers[0].level(to)
		} else {
			var wg sync.WaitGroup
			for _, w := range workers {
				wg.Go(func() { w.level(to) })
			}
			wg.Wait()
		}
		for _, w := range workers {
			w.report()
		}
		g.Depth = len(g.levelStarts) - 1
	}
	g.Edges = e.edges.Load()
	g.Exhausted = !e.stopped.Load()
}

// bytes returns what the visited table, and the edges if they are kept, take.
func (e *explorer) bytes(count int) int64 {
	b := e.g.table.after(count)
	if e.o.Keep {
		b += int64((count+chunkStates-1)/chunkStates) * chunkStates * int64(e.g.actors) * 4
	}
	return b
}

// room makes room for more states, or reports that there is none. The caller
// holds no lock.
func (e *explorer) room(more int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.g.table
	count := int(t.count.Load()) + more
	if t.fits(count) {
		return true
	}
	if e.o.MaxBytes > 0 && e.bytes(count) > e.o.MaxBytes {
		return false
	}
	t.grow(count)
	for e.o.Keep && len(e.g.succ) < len(t.chunks) {
		e.g.succ = append(e.g.succ, make([]uint32, chunkStates*e.g.actors))
	}
	return true
}

// worker is one of the goroutines that expand states.
type worker struct {
	e   *explorer
	out []uint64
	bad [8]struct {
		found bool
		id    uint32
	}
}

// level expands the states up to number to, in batches.
func (w *worker) level(to int64) {
	e := w.e
	for !e.stopped.Load() {
		from := e.cursor.Add(batch) - batch
		if from >= to {
			return
		}
		need := e.o.Workers * batch * e.g.actors
		if int(e.g.table.count.Load()) > e.o.MaxStates || e.ctx.Err() != nil {
			e.stopped.Store(true)
			return
		}
		e.mu.RLock()
		for !e.g.table.fits(int(e.g.table.count.Load()) + need) {
			e.mu.RUnlock()
			if !e.room(2 * need) {
				e.stopped.Store(true)
				return
			}
			e.mu.RLock()
		}
		edges := int64(0)
		for id := from; id < min(from+batch, to); id++ {
			edges += int64(w.expand(uint32(id)))
		}
		e.mu.RUnlock()
		e.edges.Add(edges)
		if e.o.Progress != nil {
			w.progress()
		}
	}
}

func (w *worker) progress() {
	e := w.e
	if !e.telling.TryLock() {
		return
	}
	defer e.telling.Unlock()
	now := time.Now()
	if now.Sub(e.last) < 200*time.Millisecond {
		return
	}
	e.last = now
	e.mu.RLock()
	count := int(e.g.table.count.Load())
	p := Progress{count, len(e.g.levelStarts) - 1, e.bytes(count), now.Sub(e.start)}
	e.mu.RUnlock()
	e.o.Progress(p)
}

// expand visits the successors of a state and returns how many there are.
func (w *worker) expand(id uint32) (edges int) {
	g := w.e.g
	words := g.table.words
	s := g.table.state(id)
	enabled, bad := g.Sys.Expand(s, w.out)
	if bad != 0 {
		w.note(id, bad)
	}
	var succ []uint32
	if w.e.o.Keep {
		at := int(id&(chunkStates-1)) * g.actors
		succ = g.succ[id>>chunkBits][at : at+g.actors]
	}
	for a := range g.actors {
		next := uint32(None)
		if enabled>>a&1 != 0 {
			next, _ = g.table.insert(w.out[a*words : (a+1)*words])
			edges++
		}
		if succ != nil {
			succ[a] = next
		}
	}
	return edges
}

// note remembers, for each fault, the least state of the level that has it, so
// that the same one is reported whatever the workers' timing.
func (w *worker) note(id uint32, bad Bad) {
	if bad&Stop != 0 {
		w.e.stopped.Store(true)
	}
	for i := range w.bad {
		if bad>>i&1 == 0 {
			continue
		}
		b := &w.bad[i]
		if t := w.e.g.table; !b.found || slices.Compare(t.state(id), t.state(b.id)) < 0 {
			b.found, b.id = true, id
		}
	}
}

// report merges what the worker has noted on this level.
func (w *worker) report() {
	t := w.e.g.table
	level := w.e.g.levelStarts[len(w.e.g.levelStarts)-1]
	for i := range w.bad {
		b := &w.bad[i]
		if !b.found {
			continue
		}
		b.found = false
		old, known := w.e.g.Bad[1<<i]
		if !known || old >= level && slices.Compare(t.state(b.id), t.state(old)) < 0 {
			w.e.g.Bad[1<<i] = b.id
		}
	}
}
