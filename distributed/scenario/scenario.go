// Package scenario plays worked examples: a text file has a system's initial
// state, the events in their order and, panel by panel, what must be sent and
// held.
//
// A file is lines of words; what follows # is a comment. First comes the system:
//
//	title    WORDS            what the example is
//	source   WORDS            where it comes from
//	alg      NAME             an algorithm, an election or a mutant of one
//	nodes    N                threads N (1)      requests N (255 a thread, 0: forever)
//	tree     binary|kary:K|path|star|PARENTS     quorums plane|grid|tree|LISTS
//	order    fifo|any         default: fifo      timing any|timely|ticks (any)
//	clock    NODE VALUE       of an algorithm with timestamps
//	first                     an election where no node leads yet
//	lowest                    an election of the lowest
//	locks    N                each a system of its own
//	needs    NODE K,K…        the locks that the node's threads take, in this order
//	resources N               likewise; each request is for one, a thread's for one after the other
//	present  N,N…             how many of its threads each node begins with, if not all
//	lease    N                ticks that a permission lasts, where it does not last forever
//	go-on                     two inside end nothing
//
// then panels, each "panel NAME WORDS" with events and what they do. An event is
//
//	ask N[.T]   leave N[.T]   suspect N   crash N   restart N   expire N TIMER
//	deliver A>B [MESSAGE]     lose A>B [MESSAGE]     copy A>B [MESSAGE]
//	cut N,N…    heal          tick          hang N[.T]     move N[.T] M
//
// with thread T, 0 if it is not said, which moves to node M. The message is the
// oldest from A to B, or the one that prints as MESSAGE. "EVENT ; crash K" crashes
// the node that acts after K of its sends. "deliver all" delivers what is under
// way, and what that sets off, until nothing is. What must be true then follows:
//
//	sends A>B MESSAGE         each that the last event sent, in order …
//	enters N[.T]              … and each thread that it let in …
//	revokes N[.T]             … or took its permission from; if one of these is
//	silent                    said, or silent, nothing else was done
//	breaks PROPERTY           the last event broke it; the example ends there
//	inside nobody|N[.T] …     all threads in their critical sections
//	waits  nobody|N[.T] …     all threads that wait
//	way    nothing|A>B MESSAGE        is under way
//	state  N WORDS            are in what node N prints
//	follows N LEADER|nobody
//	stuck                     a thread waits and no more event has to happen
package scenario

import (
	"errors"
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
	"shmbench/distributed/mutants"
	"shmbench/distributed/permission"
	"shmbench/distributed/several"
)

// A Scenario is a worked example.
type Scenario struct {
	Name   string
	Title  string
	Source string
	system
	Panels []Panel
}

// system is what a scenario says before its first panel.
type system struct {
	algorithm *distributed.Algorithm
	election  *election.Algorithm
	nodes     int
	threads   int
	requests  int
	tree      string
	quorums   string
	anyOrder  bool
	timing    explore.Timing
	clocks    []clock
	first     bool
	lowest    bool
	locks     int
	needs     map[distributed.ID][]uint16
	resources int
	present   []int
	lease     int
	goOn      bool
}

type clock struct {
	node  distributed.ID
	value int64
}

// A Panel is a part of a scenario.
type Panel struct {
	Name  string
	Words string
	lines []line
}

// line is an event or what must be true.
type line struct {
	number int
	event  *explore.Step
	all    bool // deliver all
	did    *did // what the last event did
	check  check
	words  string // of the check
}

// did is what an event must do, and no more.
type did struct {
	sends   []string // as "A>B MESSAGE"
	enters  []distributed.Thread
	revokes []distributed.Thread
}

// model builds the system.
func (s *system) model() (explore.Model, error) {
	m := explore.Model{Threads: s.threads, Requests: s.requests, Present: s.present, FIFO: !s.anyOrder, Timing: s.timing}
	if s.election != nil {
		electors, err := s.election.New(election.Config{Nodes: s.nodes, First: s.first, Lowest: s.lowest})
		m.Nodes = explore.Nodes(electors)
		return m, err
	}
	c := distributed.Config{Nodes: s.nodes, Threads: s.threads, Present: s.present, Lease: s.lease}
	err := c.Check()
	if err != nil {
		return m, err
	}
	if s.tree != "" {
		if !s.algorithm.Tree {
			return m, fmt.Errorf("%s routes along no tree", s.algorithm.Name)
		}
		if c.Parent, err = distributed.ParseTree(s.tree, s.nodes); err != nil {
			return m, err
		}
	}
	if s.quorums != "" {
		if !s.algorithm.Quorums {
			return m, fmt.Errorf("%s takes no quorums", s.algorithm.Name)
		}
		if c.Quorums, err = permission.ParseQuorums(s.quorums, s.nodes); err != nil {
			return m, err
		}
	}
	a := s.algorithm
	if s.lease > 0 && !a.Lease {
		return m, fmt.Errorf("%s has permissions without a time limit", a.Name)
	}
	m.Apart, m.GoOn = a.Apart, s.goOn
	if s.locks > 1 && s.resources > 1 {
		return m, errors.New("locks and resources: a thread needs all locks, or one resource at a time")
	}
	if s.resources > 1 {
		a = several.Algorithm(a, s.resources, several.InTurn(s.resources))
	}
	if s.locks > 1 {
		a = several.Algorithm(a, s.locks, func(i distributed.ID, _ distributed.Thread) [][]uint16 {
			if needs := s.needs[i]; needs != nil {
				return [][]uint16{needs}
			}
			return [][]uint16{{0}}
		})
	}
	nodes, err := a.New(c)
	if err != nil {
		return m, err
	}
	for _, c := range s.clocks {
		node, has := nodes[c.node].(distributed.Clock)
		if !has {
			return m, fmt.Errorf("%s has no clock to set", a.Name)
		}
		node.SetClock(c.value)
	}
	m.Nodes = explore.Nodes(nodes)
	return m, nil
}

// find sets the algorithm or election of that name.
func (s *system) find(name string) error {
	if a, err := catalog.Find(name); err == nil {
		s.algorithm = a
		return nil
	}
	for _, a := range election.All {
		if a.Name == name {
			s.election = a
			return nil
		}
	}
	for _, m := range mutants.All {
		if m.Name == name {
			s.algorithm, s.election = m.Algorithm, m.Election
			return nil
		}
	}
	return fmt.Errorf("no algorithm %q; dmesim list shows the names", name)
}
