package explore

import (
	"fmt"

	"shmbench/distributed"
)

// InvariantNamed returns the property that stands for the invariant with the
// given name.
func InvariantNamed(name string) Property { return Property(fmt.Sprintf("the invariant %q", name)) }

// refutation is the first state in which an invariant does not hold.
type refutation struct {
	state int32 // the first in which it does not
	why   error
}

// invariants checks the model's invariants in state s with number n, and notes
// those that do not hold for the first time.
func (g *graph) invariants(s *state, n int32) {
	if len(g.refuted) == len(g.m.Invariants) {
		return
	}
	g.look(s)
	for k, inv := range g.m.Invariants {
		if _, known := g.refuted[k]; known {
			continue
		}
		if err := inv.Holds(&g.view); err != nil {
			g.refuted[k] = refutation{n, err}
		}
	}
}

// look makes g.view show s.
func (g *graph) look(s *state) {
	v := &g.view
	v.Nodes, v.Down, v.Inside, v.Side, v.UnderWay = v.Nodes[:0], v.Down[:0], v.Inside[:0], v.Side[:0], v.UnderWay[:0]
	for i := range distributed.ID(g.n) {
		v.Nodes = append(v.Nodes, g.automata[i].locals[s.local[i]])
		v.Down = append(v.Down, s.isDown(i))
		isInside := false
		for _, st := range s.status[int(i)*g.m.Threads : (int(i)+1)*g.m.Threads] {
			isInside = isInside || isIn(st)
		}
		v.Inside = append(v.Inside, isInside)
		v.Side = append(v.Side, s.cut>>i&1 != 0)
	}
	v.Lossy = s.budget[mayLose] < uint8(g.m.Faults.Lose) || s.budget[mayPartition] < uint8(g.m.Faults.Partition)
	for _, c := range s.chans {
		for _, m := range c {
			v.UnderWay = append(v.UnderWay, g.table.messages[m.message()])
		}
	}
}

// brokenInvariants returns the violations of invariants, each with a shortest
// trace.
func (g *graph) brokenInvariants() (vs []Violation) {
	for k, inv := range g.m.Invariants {
		if b, is := g.refuted[k]; is {
			vs = append(vs, Violation{Property: InvariantNamed(inv.Name), Text: b.why.Error(), Trace: g.trace(g.path(b.state)), Loop: -1})
		}
	}
	return vs
}
