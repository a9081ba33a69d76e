// Package crashes decides liveness on the graph of all states of a lock whose processes
// crash. Exploring the graph already decides the properties of single states.
package crashes

import (
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Space is a graph that was explored with its edges kept.
type Space struct {
	G   *explore.Graph
	sys *explore.Crashing
	n   int
}

// New returns the space of a graph of the system.
func New(g *explore.Graph, sys *explore.Crashing) *Space { return &Space{g, sys, sys.Model.N} }

// section returns the section of a process in a state.
func (s *Space) section(id uint32, pid int) interp.Section {
	return s.sys.Local(s.G.State(id), pid).Section
}

// crashed reports whether a process has crashed and made no step since.
func (s *Space) crashed(id uint32, pid int) bool { return s.sys.Crashed(s.G.State(id), pid) }

// owed reports whether a process has crashed in its critical section and not entered since.
func (s *Space) owed(id uint32, pid int) bool { return s.sys.Owed(s.G.State(id), pid) }

// trying reports whether a process is to enter: it is in its recovery or entry section, or
// has crashed.
func (s *Space) trying(id uint32, pid int) bool {
	at := s.section(id, pid)
	return at == interp.Recovery || at == interp.Entry || s.crashed(id, pid)
}

// idle reports whether a process is between two super-passages.
func (s *Space) idle(id uint32, pid int) bool {
	return s.section(id, pid) == interp.Remainder && !s.crashed(id, pid)
}

// hits reports whether an actor crashes a process in a state.
func (s *Space) hits(id uint32, actor, pid int) bool { return s.sys.Hits(s.G.State(id), actor, pid) }

// enters reports whether the step by an actor begins a critical section.
func (s *Space) enters(from uint32, actor int, to uint32) bool {
	return actor < s.n && s.section(from, actor) != interp.Critical && s.section(to, actor) == interp.Critical
}

// completes reports whether the step by an actor ends a passage of a process.
func (s *Space) completes(from uint32, actor int, to uint32, pid int) bool {
	return actor == pid && s.section(to, pid) == interp.Remainder && s.section(from, pid) != interp.Remainder
}

// excused reports whether a process may stay as it is forever.
func (s *Space) excused(id uint32, pid int) bool {
	return s.idle(id, pid) || s.G.Next(id, pid) == explore.None
}

// uncrashed holds for the steps of processes.
func (s *Space) uncrashed(_ uint32, actor int, _ uint32) bool { return actor < s.n }

// steps reports whether a component of a part has an edge that such holds for.
func (s *Space) steps(p analyse.Part, component []uint32, member func(uint32) bool, such func(from uint32, actor int, to uint32) bool) bool {
	return slices.ContainsFunc(component, func(from uint32) bool {
		for actor, to := range s.G.Successors(from) {
			if p.Has(from, actor, to) && member(to) && such(from, actor, to) {
				return true
			}
		}
		return false
	})
}

// fair reports whether a weakly fair execution can stay in a component forever: every
// process makes a step in it or is excused.
func (s *Space) fair(p analyse.Part, component []uint32, member func(uint32) bool) bool {
	for pid := range s.n {
		if !slices.ContainsFunc(component, func(id uint32) bool { return s.excused(id, pid) }) &&
			!s.steps(p, component, member, func(_ uint32, actor int, _ uint32) bool { return actor == pid }) {
			return false
		}
	}
	return true
}
