package explore

// faultNames are the names of the counted faults, as in Faults.
var faultNames = [budgets]string{
	mayLose: "lose", mayDuplicate: "duplicate", mayCrash: "crash", mayRecover: "recover", mayPartition: "partition",
	maySuspect: "suspicions", mayExpireEarly: "early", mayHang: "hang",
}

// notCarriedOut returns the names of the requested faults that no step of a
// complete search carries out.
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
