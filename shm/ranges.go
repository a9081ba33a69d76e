package shm

import "math/bits"

// Ranges are numbers of processes, as pairs of the first and the last one of a range.
type Ranges [][2]int

// Where returns the numbers of processes that an algorithm allows and that fulfill a
// condition.
func Where(a Algorithm, holds func(n int) bool) Ranges {
	all := Ranges{}
	for n := a.MinProcs; n <= a.MaxProcs; n++ {
		switch last := len(all) - 1; {
		case !holds(n):
		case last >= 0 && all[last][1] == n-1:
			all[last][1] = n
		default:
			all = append(all, [2]int{n, n})
		}
	}
	return all
}

// Has reports whether n is among the numbers.
func (r Ranges) Has(n int) bool {
	for _, pair := range r {
		if n >= pair[0] && n <= pair[1] {
			return true
		}
	}
	return false
}

// Everywhere reports whether something holds for every number of processes that an algorithm
// allows; one process alone shows nothing. It tries every number up to 32, and from there on
// the largest and those beside a power of two: a formula of a large number takes long.
func (a Algorithm) Everywhere(holds func(n int) bool) bool {
	for n := max(2, a.MinProcs); n <= a.MaxProcs; n++ {
		nearPower := bits.OnesCount(uint(n)) == 1 || bits.OnesCount(uint(n-1)) == 1 || bits.OnesCount(uint(n+1)) == 1
		if (n <= 32 || n == a.MaxProcs || nearPower) && !holds(n) {
			return false
		}
	}
	return true
}

// BoundedSpace reports whether all registers are known, and their number and their values are
// bounded for n processes.
func (a Algorithm) BoundedSpace(n int) bool { return len(a.Space) > 0 && a.Space.Bounded(n) }
