package automaton

import "shmbench/check/graph"

// Endless says that there is no bound.
const Endless = -1

// MostStores returns the most stores that a process can make with no access
// between them that waits until the store buffer is empty. It counts only
// stores that buffered holds for. It returns Endless if there is no bound.
func (p *Proc) MostStores(buffered func(s int32) bool) int {
	drains := func(s int32) bool { return p.Local[s].Kind&Writes != 0 && !buffered(s) }
	stores := func(s int32) int {
		if p.Local[s].Kind&Writes != 0 && buffered(s) && p.Local[s].Binds == nil {
			return 1
		}
		return 0
	}
	most := make([]int, len(p.Local)) // from a local state on
	all := 0
	graph.Graph{Nodes: len(p.Local), Edges: func(s uint32, ends []uint32) []uint32 {
		if drains(int32(s)) {
			return ends
		}
		for _, to := range p.Successors(int32(s)) {
			ends = append(ends, uint32(to))
		}
		return ends
	}}.Components(func(component []uint32, member func(uint32) bool) {
		longest := 0
		for _, s := range component {
			if drains(int32(s)) {
				continue
			}
			longest = max(longest, stores(int32(s)))
			for _, to := range p.Successors(int32(s)) {
				switch {
				case !member(uint32(to)):
					longest = max(longest, stores(int32(s))+most[to])
				case stores(int32(s)) > 0 || all == Endless:
					all = Endless
				}
			}
		}
		for _, s := range component {
			most[s] = longest
		}
		if all != Endless {
			all = max(all, longest)
		}
	})
	return all
}
