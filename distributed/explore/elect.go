package explore

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

func (g *graph) elector(s *state, i distributed.ID) distributed.Elector {
	return g.automata[i].locals[s.local[i]].(distributed.Elector)
}

// leaderless reports whether elector i follows no node, or a node that has
// crashed or is cut off. In the latter cases its failure detector eventually
// notices.
func (g *graph) leaderless(s *state, i distributed.ID) bool {
	leader, _ := g.elector(s, i).Leader()
	return leader == distributed.None || s.isDown(leader) || g.parted(s, i, leader)
}

// claim notes the node that elector i believes to be the leader, and compares it with all
// earlier claims for that term.
func (g *graph) claim(s *state, i distributed.ID) (Property, string) {
	if !g.elects {
		return "", ""
	}
	e := g.elector(s, i)
	if most := g.m.MaxElections; most > 0 && e.Elections() > most {
		return Agreement, fmt.Sprintf("node %d begins election %d: at most %d should be needed", i, e.Elections(), most)
	}
	leader, term := e.Leader()
	if leader == distributed.None {
		return "", ""
	}
	at, found := slices.BinarySearchFunc(s.claims, term, func(c claim, term int64) int { return int(c.term - term) })
	if found {
		if was := s.claims[at].leader; was != leader {
			return OneLeader, fmt.Sprintf("node %d takes node %d for the leader of term %d, whose leader is node %d", i, leader, term, was)
		}
		return "", ""
	}
	s.claims = slices.Insert(s.claims, at, claim{term, leader})
	// A node that restarts, or comes back from behind a cut, may find a lower
	// leader.
	if f := g.m.Faults; g.m.HighestLeads && f.Recover == 0 && (f.Partition == 0 || f.CutsLast) {
		if highest := g.highest(s, leader); highest > leader && !g.parted(s, i, leader) {
			return HighestLeads, fmt.Sprintf("node %d follows node %d, newly elected, while node %d is up", i, leader, highest)
		}
	}
	return "", ""
}

// highest returns the highest node that is up in the part of the network where
// node i is.
func (g *graph) highest(s *state, i distributed.ID) distributed.ID {
	for j := distributed.ID(g.n - 1); j >= 0; j-- {
		if !s.isDown(j) && !g.parted(s, i, j) {
			return j
		}
	}
	return distributed.None
}

// agreement decides for elections whether, in each part of the network, all live nodes
// eventually follow one live leader.
func (g *graph) agreement() []Violation {
	all := make([]bool, len(g.keys))
	for n := range all {
		all[n] = true
	}
	s := newState(g.n, g.m.Threads)
	unsettled := map[Property]*found{}
	g.components(all, nil, func(c *component) {
		if !c.fair() {
			return
		}
		for _, n := range c.states {
			s.read(g.keys[n])
			if property, text := g.disagree(s); text != "" {
				unsettled[property] = sooner(unsettled[property], &found{c, text})
				return
			}
		}
	})
	var vs []Violation
	for _, p := range []Property{Agreement, HighestLeads} {
		if f := unsettled[p]; f != nil {
			vs = append(vs, g.violation(p, f))
		}
	}
	return vs
}

// disagree says why s, as the last state of an election, shows no agreement.
func (g *graph) disagree(s *state) (Property, string) {
	whom := [2]distributed.ID{distributed.None, distributed.None} // by part
	for i := range distributed.ID(g.n) {
		if s.isDown(i) {
			continue
		}
		part := &whom[s.cut>>i&1]
		leader, _ := g.elector(s, i).Leader()
		switch {
		case leader == distributed.None:
			return Agreement, fmt.Sprintf("node %d follows no node", i)
		case s.isDown(leader):
			return Agreement, fmt.Sprintf("node %d follows node %d, which has crashed", i, leader)
		case g.parted(s, i, leader):
			return Agreement, fmt.Sprintf("node %d follows node %d, which is cut off", i, leader)
		case *part != distributed.None && leader != *part:
			return Agreement, fmt.Sprintf("node %d follows node %d while others follow node %d", i, leader, *part)
		}
		*part = leader
	}
	for _, leader := range whom {
		if g.m.HighestLeads && leader != distributed.None {
			if highest := g.highest(s, leader); highest != leader {
				return HighestLeads, fmt.Sprintf("all follow node %d although node %d is up", leader, highest)
			}
		}
	}
	return "", ""
}
