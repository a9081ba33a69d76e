package explore

import (
	"fmt"

	"shmbench/distributed"
)

// Liveness is decided on strongly connected components under weak fairness. A message that
// stays deliverable is eventually delivered. A thread in its critical section eventually
// releases. A timer that stays set eventually expires. A dead leader is eventually suspected.
// Where the model has time, time passes. Requests, suspicions and faults may stop. A violation
// is a component in which a run can stay fairly forever, and where a thread waits in every
// state. It violates deadlock freedom if the run contains no entry, and otherwise starvation
// freedom. A single state without a step that must be taken is such a component too.

// classes is a set of fair actions. Without FIFO, each message is a class of its
// own, because a channel that is served could still leave one message behind.
type classes [8]uint64

func (c *classes) add(k int)      { c[k/64] |= 1 << (k % 64) }
func (c *classes) has(k int) bool { return c[k/64]>>(k%64)&1 != 0 }
func (c *classes) without(o *classes) (r classes) {
	for i := range c {
		r[i] = c[i] &^ o[i]
	}
	return r
}

// class numbers the action a possible in state s; -1 is no fair action.
func (g *graph) class(s *state, a action) int {
	n, t := g.n, g.m.Threads
	if a.sends > 0 {
		return -1
	}
	switch a.what {
	case evRelease:
		return int(a.a)*t + int(a.b)
	case evTimer:
		if !g.inTime(s, s.timer(distributed.ID(a.a), a.b)) {
			return -1
		}
		return n*t + int(a.a)
	case evTick:
		return n*t + n
	case evSuspect:
		if !g.leaderless(s, distributed.ID(a.a)) {
			return -1
		}
		return n*t + n + 1 + int(a.a)
	case evDeliver:
		pair := int(a.a)*n + int(a.b)
		if g.m.FIFO {
			return n*t + 2*n + 1 + pair
		}
		return n*t + 2*n + 1 + int(s.chans[pair][a.c].message())
	}
	return -1
}

// classify numbers the class of every edge, and finds the states that a fair run
// must leave if it is in that state alone. It fails if there are too many classes
// to decide liveness.
func (g *graph) classify() error {
	if most := g.n*g.m.Threads + 2*g.n + 1 + len(g.table.messages); !g.m.FIFO && most > 64*len(classes{}) {
		return fmt.Errorf("%d different messages: without FIFO the explorer decides liveness for %d", len(g.table.messages), 64*len(classes{}))
	}
	s := newState(g.n, g.m.Threads)
	g.fair = make([]int16, len(g.edges))
	g.passing = make([]bool, len(g.keys))
	for n, k := range g.keys {
		s.read(k)
		loops := false
		for e := g.first[n]; e < g.first[n+1]; e++ {
			g.fair[e] = int16(g.class(s, g.edges[e].action))
			g.passing[n] = g.passing[n] || g.fair[e] >= 0
			loops = loops || g.edges[e].to == int32(n)
		}
		g.passing[n] = g.passing[n] && !loops
	}
	return nil
}

// component is a set of states in which a run can stay.
type component struct {
	states []uint32        // in order, thus the one of least depth first
	follow func(edge) bool // the steps to take, nil for all
	always classes         // classes enabled in each of its states
	taken  classes         // classes of its inner steps
	enters bool            // an inner step lets a thread in
}

func (c *component) fair() bool { return c.always.without(&c.taken) == classes{} }

// liveness returns the broken liveness properties, each with the violation that
// is reached in the fewest steps.
func (g *graph) liveness() []Violation {
	if g.elects {
		return g.agreement()
	}
	var deadlock, starvation *found
	s := newState(g.n, g.m.Threads)
	for at := range g.n * g.m.Threads {
		in := make([]bool, len(g.keys))
		p := Place{distributed.ID(at / g.m.Threads), distributed.Thread(at % g.m.Threads)}
		for n, k := range g.keys {
			s.read(k)
			in[n] = s.status[at] == waiting && g.progresses(s, p.Node)
		}
		// A run in which no process enters takes no step with an entry: what stays
		// fair without those steps is a deadlock, whatever else could happen.
		g.components(in, func(e edge) bool { return e.action.entries == 0 }, func(c *component) {
			if c.fair() {
				deadlock = sooner(deadlock, &found{c, fmt.Sprintf("%v waits forever and no thread enters", p)})
			}
		})
		g.components(in, nil, func(c *component) {
			if c.enters && c.fair() {
				starvation = sooner(starvation, &found{c, fmt.Sprintf("%v waits forever while others enter", p)})
			}
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

// progresses reports whether node i must make progress in s.
func (g *graph) progresses(s *state, i distributed.ID) bool {
	if s.cut == 0 || g.m.Wins == nil {
		return true
	}
	g.look(s)
	return g.m.Wins(&g.view, i)
}

// found is a component that breaks a property.
type found struct {
	c    *component
	text string
}

func sooner(a, b *found) *found {
	if a == nil || b.c.states[0] < a.c.states[0] {
		return b
	}
	return a
}

func (g *graph) violation(p Property, f *found) Violation {
	prefix := g.path(int32(f.c.states[0]))
	v := Violation{Property: p, Text: f.text, Loop: -1}
	if loop := g.lasso(f.c); len(loop) > 0 {
		v.Loop = len(prefix)
		prefix = append(prefix, loop...)
	}
	v.Trace = g.trace(prefix)
	return v
}
