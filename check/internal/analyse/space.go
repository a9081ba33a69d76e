// Package analyse decides liveness, fairness and order on the graph of all
// states that a lock can reach.
package analyse

import (
	"sync"

	"shmbench/check/internal/crew"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/internal/graph"
)

// Space is a graph of states with what each process is doing in each of them.
// Actors 0 to N-1 are the processes; any others are parts of the machine.
type Space struct {
	G       *explore.Graph
	N       int
	Actors  int
	workers int
	// sections has two bits a process, four processes a byte, stride bytes a
	// state.
	sections []uint8
	stride   int
	orders   []func() *order // by process, found when it is needed
	still    func() []uint32
	beyond   func(state []uint64, pid int) bool // nil if nobody is beyond reach
}

// New returns the space of a graph that was explored with its edges kept, for
// as many workers; section gives the section of a process in a state.
func New(g *explore.Graph, n, workers int, section func(state []uint64, pid int) interp.Section) *Space {
	s := &Space{G: g, N: n, Actors: g.Sys.Actors(), workers: max(workers, 1), stride: (n + 3) / 4}
	s.sections = make([]uint8, g.States*s.stride)
	s.descend(func(_ int, lo, hi, _ uint32) {
		for id := lo; id < hi; id++ {
			state := g.State(id)
			for p := range n {
				s.sections[int(id)*s.stride+p/4] |= uint8(section(state, p)) << (p % 4 * 2)
			}
		}
	})
	for pid := range n {
		s.orders = append(s.orders, sync.OnceValue(func() *order { return s.busy(pid) }))
	}
	s.still = sync.OnceValue(s.stillStates)
	return s
}

// Beyond notes where processes are about to do what is not known: an execution in
// which one stays there is none that can be judged. It must be called before
// anything is asked.
func (s *Space) Beyond(beyond func(state []uint64, pid int) bool) { s.beyond = beyond }

// Section returns the section of a process in a state.
func (s *Space) Section(id uint32, pid int) interp.Section {
	return interp.Section(s.sections[int(id)*s.stride+pid/4] >> (pid % 4 * 2) & 3)
}

// enters reports whether the step by an actor begins a critical section.
func (s *Space) enters(from uint32, actor int, to uint32) bool {
	return actor < s.N && s.Section(from, actor) != interp.Critical && s.Section(to, actor) == interp.Critical
}

// excused reports whether an actor may stay as it is for ever: it is in its
// remainder section, or has no step to make.
func (s *Space) excused(id uint32, actor int) bool {
	if s.beyond != nil && actor < s.N && s.beyond(s.G.State(id), actor) {
		return false
	}
	return actor < s.N && s.Section(id, actor) == interp.Remainder || s.G.Next(id, actor) == explore.None
}

// stillStates returns the states in which a fair execution can stay: every
// actor is excused or has a step that changes nothing.
func (s *Space) stillStates() (still []uint32) {
	var mu sync.Mutex
	s.descend(func(_ int, lo, hi, _ uint32) {
		var found []uint32
	states:
		for id := lo; id < hi; id++ {
			for a, to := range s.G.Successors(id) {
				if to != id && !s.excused(id, a) {
					continue states
				}
			}
			found = append(found, id)
		}
		if found != nil {
			mu.Lock()
			still = append(still, found...)
			mu.Unlock()
		}
	})
	return still
}

const (
	// A block is the states that are gone through at once, each worker having a
	// part of it. Graphs that are not larger have one worker.
	blockStates = 1 << 17
	partOf      = 64 // a part's length is a multiple of it: no two share a word of a set
)

// descend calls work for all states, as ranges from lo to hi, the last ones
// first. What is below end is not done yet, but for what is above in the same
// range. Parts of one graph are always the same.
func (s *Space) descend(work func(worker int, lo, hi, end uint32)) {
	n := uint32(s.G.States)
	workers := uint32(s.workers)
	if n <= blockStates || workers == 1 {
		work(0, 0, n, n)
		return
	}
	c := crew.New(s.workers)
	defer c.Dismiss()
	part := (blockStates/workers + partOf - 1) / partOf * partOf
	block := part * workers
	for first := (n - 1) / block * block; ; first -= block {
		end := min(first+block, n)
		c.Do(func(w int) {
			if lo := first + uint32(w)*part; lo < end {
				work(w, lo, min(lo+part, end), end)
			}
		})
		if first == 0 {
			return
		}
	}
}

// subgraph is a part of the graph: the states that in holds for, and of the
// edges between them those that keep holds for (all, if keep is nil).
type subgraph struct {
	in   func(id uint32) bool
	keep func(from uint32, actor int, to uint32) bool
}

func (g subgraph) has(from uint32, actor int, to uint32) bool {
	return to != explore.None && g.in(to) && (g.keep == nil || g.keep(from, actor, to))
}

// graph returns a subgraph with the actors as the numbers of edges.
func (s *Space) graph(g subgraph) graph.Graph {
	return graph.Graph{Nodes: s.G.States, In: g.in, Edges: func(from uint32, ends []uint32) []uint32 {
		for a, to := range s.G.Successors(from) {
			if !g.has(from, a, to) {
				to = graph.None
			}
			ends = append(ends, to)
		}
		return ends
	}}
}

// fair reports whether a weakly fair execution can stay in a strongly
// connected component for ever: every actor takes a step in it or is excused.
func (s *Space) fair(g subgraph, comp []uint32, member func(uint32) bool) bool {
	for a := range s.Actors {
		moves := false
		for _, id := range comp {
			if to := s.G.Next(id, a); s.excused(id, a) || g.has(id, a, to) && member(to) {
				moves = true
				break
			}
		}
		if !moves {
			return false
		}
	}
	return true
}

// A Lasso is an execution that ends in a cycle: the states of a strongly
// connected component in which it can stay for ever.
type Lasso struct {
	sub    subgraph
	states []uint32
	least  uint32
}
