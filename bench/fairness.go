package bench

import (
	"slices"

	"shmbench/internal/results/stat"
)

// shortWindow is the length of the windows over which short-term fairness is
// averaged, in passages a process.
const shortWindow = 10

// fairness is the result of study.
type fairness struct {
	jainShort  float64 // mean of Jain's index over windows of shortWindow*n passages
	longestRun int     // most consecutive passages of one process
	reacquire  float64 // median passages from one passage of a process to its next, both ends counted once
}

// study computes the fairness of a log of passages by processes 0..n-1, in order.
func study(owners []uint16, n int) fairness {
	f := fairness{jainShort: 1}
	if len(owners) == 0 {
		return f
	}
	windows, sum := 0, 0.0
	for w := range slices.Chunk(owners, shortWindow*n) {
		if len(w) < shortWindow*n && windows > 0 {
			break // the rest is too short to compare
		}
		shares := make([]uint64, n)
		for _, pid := range w {
			shares[pid]++
		}
		sum += stat.Jain(shares)
		windows++
	}
	f.jainShort = sum / float64(windows)

	last := make([]int, n) // 1 + index of the last passage, 0 if none
	gaps := make([]int, len(owners)+1)
	returns, run := 0, 0
	for i, pid := range owners {
		if i > 0 && owners[i-1] == pid {
			run++
		} else {
			run = 1
		}
		f.longestRun = max(f.longestRun, run)
		if last[pid] > 0 {
			gaps[i+1-last[pid]]++
			returns++
		}
		last[pid] = i + 1
	}
	f.reacquire = medianOf(gaps, returns)
	return f
}

// medianOf returns the median of total values. The value v occurs counts[v] times.
func medianOf(counts []int, total int) float64 {
	if total == 0 {
		return 0
	}
	at := func(rank int) int {
		for v, c := range counts {
			if rank -= c; rank < 0 {
				return v
			}
		}
		return len(counts) - 1
	}
	return float64(at((total-1)/2)+at(total/2)) / 2
}
