package bench

import "shmbench/shm"

// transferFor returns the time of a transfer between the processors on which a
// workload is about to run. It returns 0 if the workload has one process, or if the
// transfer cannot be measured now.
func transferFor(w Workload, pin Pinning) (ns float64) {
	if w.Procs > 1 {
		if now, ok := transferTime(pin); ok {
			ns = now.NS
		}
	}
	return ns
}

// derive adds to a sample its cost as a multiple of the machine's own costs, and
// the null lock's figure for the same work. transfer is the time that transferFor
// returned just before the sample.
func (s *Sample) derive(a shm.Algorithm, costs []Cost, transfer float64, null *Sample) {
	ns, _ := s.Get(nsPerOp)
	if overhead, ok := null.Get(nsPerOp); ok {
		s.put(overheadNS, overhead)
	}
	if s.Workload.Rate > 0 || s.Workload.Kills > 0 {
		return // ns/op is the gap between arrivals, or includes the time of dead processes
	}
	if s.Workload.Readers > 0 {
		return // and the operations of a reader have not been counted
	}
	if s.Workload.Procs > 1 {
		if transfer > 0 {
			s.put(xfersPerOp, ns/transfer)
		}
		return
	}
	if s.Workload.Execute || a.Delegates() {
		return // only the operations of Lock and Unlock have been counted
	}
	price := make(map[string]float64, len(costs))
	for _, c := range costs {
		price[c.Op] = c.NS
	}
	sum := 0.0
	for op, n := range ownAtomics[countedName(a)] {
		sum += float64(n) * price[op]
	}
	if sum > 0 {
		s.put(atomicsPerOp, ns/sum)
	}
}
