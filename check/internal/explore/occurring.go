package explore

import "shmbench/check/internal/crew"

// Occurring returns which local states of each process, and which values of each
// register, occur in the visited states. As many workers look for them.
func (s *SC) Occurring(g *Graph, workers int) (locals, values [][]bool) {
	var fields []Field
	var sizes []int
	for pid, p := range s.Model.Procs {
		fields, sizes = append(fields, s.Procs[pid]), append(sizes, len(p.Local))
	}
	for r, reg := range s.Model.Regs {
		fields, sizes = append(fields, s.Regs[r]), append(sizes, len(reg.Values))
	}
	workers = max(workers, 1)
	found := crew.NewMarks(workers, sizes)
	crew.Share(workers, g.States, askedAtOnce, func(w, lo, hi int) {
		for id := lo; id < hi; id++ {
			state := g.State(uint32(id))
			for i, f := range fields {
				found.Set(w, i, f.Of(state))
			}
		}
	})
	all := found.Union()
	return all[:len(s.Procs)], all[len(s.Procs):]
}
