package bench

import "shmbench/shm"

// transferFor is the time of a transfer between the processors on which a workload is
// about to run; 0 where it has one process, or the transfer cannot be measured now.
func transferFor(w Workload, pin Pinning) (ns float64) {
	if w.Procs > 1 {
		if now, ok := TransferTime(pin); ok {
			ns = now.NS
		}
	}
	return ns
}

// derive adds to a sample what it is as a multiple of the machine's own costs,
// and the null lock's figure for the same work. The transfer is the one that
// transferFor returned just before the sample.
func (s *Sample) derive(a shm.Algorithm, costs []Cost, transfer float64, null *Sample) {
	ns, _ := s.Get(nsPerOp)
	if overhead, ok := null.Get(nsPerOp); ok {
		s.put(overheadNS, overhead)
	}
	if s.Workload.Rate > 0 || s.Workload.Kills > 0 {
		return // ns/op is the gap between arrivals there, or has the time of dead processes in it
	}
	if s.Workload.Readers > 0 {
		return // and what a reader does has not been counted
	}
	if s.Workload.Procs > 1 {
		if transfer > 0 {
			s.put(xfersPerOp, ns/transfer)
		}
		return
	}
	if s.Workload.Execute || a.Delegates() {
		return // the operations of Lock and Unlock have been counted
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
