package bench

import (
	"slices"

	"shmbench/shm"
)

// derive adds to a sample what it is as a multiple of the machine's own costs,
// and the null lock's figure for the same work.
func (s *Sample) derive(a shm.Algorithm, costs []Cost, null *Sample) {
	ns, _ := s.Get(nsPerOp)
	if overhead, ok := null.Get(nsPerOp); ok {
		s.put(overheadNS, overhead)
	}
	if s.Workload.Rate > 0 {
		return // ns/op is the gap between arrivals there
	}
	if s.Workload.Readers > 0 {
		return // and what a reader does has not been counted
	}
	price := make(map[string]float64, len(costs))
	for _, c := range costs {
		price[c.Op] = c.NS
	}
	if s.Workload.Procs > 1 {
		// The one that was measured last is of the sample's processors.
		for _, c := range slices.Backward(costs) {
			if c.isTransfer() {
				s.put(xfersPerOp, ns/c.NS)
				break
			}
		}
		return
	}
	sum := 0.0
	for op, n := range ownAtomics[countedName(a)] {
		sum += float64(n) * price[op]
	}
	if sum > 0 {
		s.put(atomicsPerOp, ns/sum)
	}
}
