package automaton

import (
	"shmbench/check/graph"
	"shmbench/check/internal/interp"
)

// Lasting says, by local state, whether a fair execution without an entry can visit it again and again, as far as the
// automaton alone shows. Such an execution either stays in the local state forever, or comes back to it.
func (p *Proc) Lasting() []bool {
	lasting := make([]bool, len(p.Local))
	for s := range p.Local {
		l := &p.Local[s]
		lasting[s] = l.Section == interp.Remainder || l.Reg < 0 || l.Fault != nil
	}
	g := graph.Graph{Nodes: len(p.Local), Edges: func(from uint32, ends []uint32) []uint32 {
		for _, to := range p.withoutEntry(int32(from)) {
			lasting[from] = lasting[from] || to == int32(from)
			ends = append(ends, uint32(to))
		}
		return ends
	}}
	g.Components(func(component []uint32, _ func(uint32) bool) {
		for _, s := range component {
			lasting[s] = lasting[s] || len(component) > 1
		}
	})
	return lasting
}

// withoutEntry returns the states that may follow s by a step that does not begin a critical section.
func (p *Proc) withoutEntry(s int32) (to []int32) {
	for _, next := range p.Successors(s) {
		if p.Local[s].Section == interp.Critical || p.Local[next].Section != interp.Critical {
			to = append(to, next)
		}
	}
	return to
}
