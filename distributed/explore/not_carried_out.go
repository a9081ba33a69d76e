package explore

// faultNames are the faults that are counted, as Faults names them.
var faultNames = [budgets]string{
	mayLose: "lose", mayDuplicate: "duplicate", mayCrash: "crash", mayRecover: "recover", mayPartition: "partition",
	maySuspect: "suspicions", mayExpireEarly: "early", mayHang: "hang",
}

// notCarriedOut returns the names of the faults that were asked for and that no
// step of a complete search is.
func (g *graph) notCarriedOut() (vain []string) {
	s, work := newState(g.n, g.m.Threads), newState(g.n, g.m.Threads)
	var happened [budgets]bool
	s.read(g.keys[0])
	begin := s.budget
	for _, k := range g.keys {
		work.read(k)
		for f := range happened {
			happened[f] = happened[f] || work.budget[f] < begin[f]
		}
	}
	for f, name := range faultNames {
		if name != "" && begin[f] > 0 && !happened[f] {
			vain = append(vain, name)
		}
	}
	return vain
}
