package bench

import "shmbench/shm"

// derive adds to a sample what it is as a multiple of the machine's own costs,
// and the null lock's figure for the same work.
func (s *Sample) derive(a shm.Algorithm, costs []Cost, null *Sample) {
	ns, _ := s.Get(nsPerOp)
	if overhead, ok := null.Get(nsPerOp); ok {
		s.put(overheadNS, overhead)
	}
	price := make(map[string]float64, len(costs))
	for _, c := range costs {
		price[c.Op] = c.NS
	}
	if s.Workload.Procs > 1 {
		if price[Transfer] > 0 {
			s.put(xfersPerOp, ns/price[Transfer])
		}
		return
	}
	sum := 0.0
	for op, n := range ownAtomics[plainName(a)] {
		sum += float64(n) * price[op]
	}
	if sum > 0 {
		s.put(atomicsPerOp, ns/sum)
	}
}
