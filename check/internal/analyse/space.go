// Package analyse decides liveness, fairness and order on the graph of all
// states that a lock can reach.
package analyse

import (
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
	section []interp.Section // by state and process
	beyond  []bool           // the same, nil if nobody is beyond reach
}

// New returns the space of a graph that was explored with its edges kept;
// section gives the section of a process in a state.
func New(g *explore.Graph, n int, section func(state []uint64, pid int) interp.Section) *Space {
	s := &Space{G: g, N: n, Actors: g.Sys.Actors(), section: make([]interp.Section, g.States*n)}
	for id := range g.States {
		state := g.State(uint32(id))
		for p := range n {
			s.section[id*n+p] = section(state, p)
		}
	}
	return s
}

// Beyond notes where processes are about to do what is not known: an execution in
// which one stays there is none that can be judged.
func (s *Space) Beyond(beyond func(state []uint64, pid int) bool) {
	s.beyond = make([]bool, len(s.section))
	for i := range s.beyond {
		s.beyond[i] = beyond(s.G.State(uint32(i/s.N)), i%s.N)
	}
}

// Waiting tells, by state and process, who is past its doorway and not yet in.
type Waiting []bool

// Waiting returns who waits where: past tells whether a process that is in its
// entry section in a state is past its doorway.
func (s *Space) Waiting(past func(state []uint64, pid int) bool) Waiting {
	w := make(Waiting, len(s.section))
	for i, section := range s.section {
		w[i] = section == interp.Entry && past(s.G.State(uint32(i/s.N)), i%s.N)
	}
	return w
}

// Section returns the section of a process in a state.
func (s *Space) Section(id uint32, pid int) interp.Section { return s.section[int(id)*s.N+pid] }

// enters reports whether the step by an actor begins a critical section.
func (s *Space) enters(from uint32, actor int, to uint32) bool {
	return actor < s.N && s.Section(to, actor) == interp.Critical && s.Section(from, actor) != interp.Critical
}

// excused reports whether an actor may stay as it is for ever: it is in its
// remainder section, or has no step to make.
func (s *Space) excused(id uint32, actor int) bool {
	if s.beyond != nil && actor < s.N && s.beyond[int(id)*s.N+actor] {
		return false
	}
	return actor < s.N && s.Section(id, actor) == interp.Remainder || s.G.Next(id, actor) == explore.None
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
		for a := range s.Actors {
			to := s.G.Next(from, a)
			if !g.has(from, a, to) {
				to = graph.None
			}
			ends = append(ends, to)
		}
		return ends
	}}
}

// all is the whole graph.
func (s *Space) all() graph.Graph {
	return s.graph(subgraph{in: func(uint32) bool { return true }})
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
}

// firstFair returns the fair component of g whose nearest state is nearest to
// the initial one, or nil. want narrows the components down, and may be nil.
// each, which may be nil too, is called with every component.
func (s *Space) firstFair(g subgraph, want func(id uint32) bool, each func(comp []uint32, member func(uint32) bool)) *Lasso {
	var best *Lasso
	var nearest uint32
	s.graph(g).Components(func(comp []uint32, member func(uint32) bool) {
		if each != nil {
			each(comp, member)
		}
		least := comp[0]
		for _, id := range comp {
			least = min(least, id)
		}
		if best != nil && nearest < least || want != nil && !want(comp[0]) {
			return
		}
		if s.fair(g, comp, member) {
			best, nearest = &Lasso{g, append([]uint32(nil), comp...)}, least
		}
	})
	return best
}
