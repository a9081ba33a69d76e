package analyse

import "shmbench/check/internal/crew"

const (
	// Workers take partOf states of a level at a time.
	partOf = 1 << 9
	// A level of fewer states is not worth the second worker.
	fewStates = 1 << 10
)

// descend calls work for all states, as ranges from lo to hi, the last ones
// first. What is from hi to end, or below lo, is not done yet, or at the same
// time; what is from end on is.
func (s *Space) descend(work func(worker int, lo, hi, end uint32)) {
	n := uint32(s.G.States)
	if s.workers == 1 {
		work(0, 0, n, n)
		return
	}
	levels := s.G.Levels()
	for i := len(levels) - 1; i >= 0; i-- {
		first := levels[i]
		end := n
		if i+1 < len(levels) {
			end = levels[i+1]
		}
		if end-first < fewStates {
			work(0, first, end, end)
			continue
		}
		ranges := crew.NewRanges(int(first), int(end), partOf)
		crew.Do(s.workers, func(worker int) {
			for lo, hi := range ranges.All() {
				work(worker, uint32(lo), uint32(hi), end)
			}
		})
	}
}

// share calls work for each process of a set, for several at once.
func (s *Space) share(procs procset, work func(worker, pid int)) {
	crew.Share(s.workers, s.N, 1, func(worker, pid, _ int) {
		if procs.has(pid) {
			work(worker, pid)
		}
	})
}
