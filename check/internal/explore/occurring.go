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
	found := make([][][]bool, max(workers, 1))
	for w := range found {
		for _, size := range sizes {
			found[w] = append(found[w], make([]bool, size))
		}
	}
	crew.Share(len(found), g.States, askedAtOnce, func(w, lo, hi int) {
		for id := lo; id < hi; id++ {
			state := g.State(uint32(id))
			for i, f := range fields {
				// What others write may be in the same line of a cache.
				if o := &found[w][i][f.Of(state)]; !*o {
					*o = true
				}
			}
		}
	})
	all := found[0]
	for _, further := range found[1:] {
		for i, occurs := range further {
			for v, occurs := range occurs {
				all[i][v] = all[i][v] || occurs
			}
		}
	}
	return all[:len(s.Procs)], all[len(s.Procs):]
}
