package peterson

import (
	"fmt"

	"shmbench/shm"
)

// filterProof is the proof of the filter. The names here have its numbers.
var filterProof = shm.Source{
	Author: "Nancy A. Lynch",
	Title:  "Distributed Algorithms",
	Venue:  "Morgan Kaufmann",
	Year:   1996,
	Page:   "287",
}

var filterInvariants = []shm.Invariant{
	// Assertion 10.5.3: while another process competes at a level that a process
	// has won, turn is not the winner's.
	{Name: "turn", Source: filterProof, Holds: func(v shm.View) error {
		for i := range v.N() {
			for k := range v.N() {
				for j := 1; j <= min(won(v, i), competes(v, k)); j++ {
					if k != i && v.Int("turn", j-1) == i {
						return fmt.Errorf("process %d has won level %d, process %d competes there, and turn[%d] = %d", i, j, k, j, i)
					}
				}
			}
		}
		return nil
	}},
	// Assertion 10.5.5: level j has at most n-j winners.
	{Name: "winners", Source: filterProof, Holds: func(v shm.View) error {
		for j := 1; j < v.N(); j++ {
			winners := 0
			for i := range v.N() {
				if won(v, i) >= j {
					winners++
				}
			}
			if winners > v.N()-j {
				return fmt.Errorf("processes that have won level %d: %d", j, winners)
			}
		}
		return nil
	}},
}

// won is the highest level that process i has won, 0 if none: it is past line
// 4 there.
func won(v shm.View, i int) int {
	level := v.Int("q", i)
	if v.At(i, "3") || v.At(i, "4") {
		return level - 1
	}
	return level
}

// competes is the highest level at which process i competes: it is past line 3
// there.
func competes(v shm.View, i int) int {
	if level := v.Int("q", i); !v.At(i, "3") {
		return level
	}
	return won(v, i)
}
