package explore

import (
	"fmt"

	"shmbench/dist"
)

// Liveness is decided on strongly connected components under weak fairness:
// a message that stays deliverable is delivered in the end, a thread inside
// releases in the end, a timer that stays set expires in the end and, where
// time is modelled, time passes. Requests, suspicions and faults may stop. A
// component in which a run can stay fairly for ever, and where a thread waits
// in every state, is a violation: of starvation freedom, and of deadlock
// freedom as well if it holds no entry. A single state without a step that
// must be taken is such a component too.

// class numbers the fair actions: bit k of a mask is class k. Receivers, not
// pairs, would be too coarse: each channel is served.
func (g *graph) class(a action) uint64 {
	n, t := g.n, g.m.Threads
	switch a.what {
	case evDeliver:
		return 1 << (int(a.a)*n + int(a.b))
	case evRelease:
		return 1 << (n*n + int(a.a)*t + int(a.b))
	case evTimer:
		return 1 << (n*n + n*t + int(a.a))
	case evTick:
		return 1 << (n*n + n*t + n)
	}
	return 0
}

// component is a set of states in which a run can stay.
type component struct {
	states []int32
	member map[int32]bool
	always uint64 // classes enabled in each of its states
	taken  uint64 // classes of its inner steps
	enters bool   // an inner step lets a thread in
	inner  bool   // it has an inner step
}

func (c *component) fair() bool { return c.always&^c.taken == 0 }

// liveness returns the broken liveness properties, each with the violation
// that is reached soonest.
func (g *graph) liveness() []Violation {
	if g.elects {
		return g.agreement()
	}
	var deadlock, starvation *found
	s := newState(g.n, g.m.Threads)
	for at := range g.n * g.m.Threads {
		in := make([]bool, len(g.keys))
		for n, k := range g.keys {
			s.read(k)
			in[n] = s.status[at] == waiting
		}
		p := Place{dist.ID(at / g.m.Threads), dist.Thread(at % g.m.Threads)}
		g.components(in, func(c *component) {
			if !c.fair() {
				return
			}
			f := &found{c: c, first: c.states[0], text: fmt.Sprintf("%v waits for ever while others enter", p)}
			if !c.enters {
				f.text = fmt.Sprintf("%v waits for ever and nobody enters", p)
				deadlock = sooner(deadlock, f)
			}
			starvation = sooner(starvation, f)
		})
	}
	var vs []Violation
	if deadlock != nil {
		vs = append(vs, g.violation(Deadlock, deadlock))
	}
	if starvation != nil {
		vs = append(vs, g.violation(Starvation, starvation))
	}
	return vs
}

// found is a component that breaks a property.
type found struct {
	c     *component
	first int32 // its state of least number, thus of least depth
	text  string
}

func sooner(a, b *found) *found {
	if a == nil || b.first < a.first {
		return b
	}
	return a
}

// agreement decides for elections that whoever is up comes to follow one
// leader that is up, in each part of a network that stays whole.
func (g *graph) agreement() []Violation {
	all := make([]bool, len(g.keys))
	for n := range all {
		all[n] = true
	}
	s := newState(g.n, g.m.Threads)
	var bad *found
	g.components(all, func(c *component) {
		if !c.fair() {
			return
		}
		for _, n := range c.states {
			s.read(g.keys[n])
			if text := g.disagree(s); text != "" {
				bad = sooner(bad, &found{c: c, first: c.states[0], text: text})
				return
			}
		}
	})
	if bad == nil {
		return nil
	}
	return []Violation{g.violation(Agreement, bad)}
}

// disagree says what is wrong with s as the last state of an election.
func (g *graph) disagree(s *state) string {
	whom := dist.None
	for i := range dist.ID(g.n) {
		if s.isDown(i) {
			continue
		}
		leader, _ := g.autos[i].locals[s.local[i]].(dist.Elector).Leader()
		switch {
		case leader == dist.None:
			return fmt.Sprintf("node %d follows nobody in the end", i)
		case s.isDown(leader):
			return fmt.Sprintf("node %d follows node %d, which has crashed, in the end", i, leader)
		case whom != dist.None && leader != whom:
			return fmt.Sprintf("node %d follows node %d while others follow node %d in the end", i, leader, whom)
		}
		whom = leader
	}
	return ""
}

func (g *graph) violation(p Property, f *found) Violation {
	prefix := g.path(f.first)
	v := Violation{Property: p, Text: f.text, Loop: -1}
	if f.c.inner {
		v.Loop = len(prefix)
		prefix = append(prefix, g.lasso(f.c, f.first)...)
	}
	v.Trace = g.trace(prefix)
	return v
}
