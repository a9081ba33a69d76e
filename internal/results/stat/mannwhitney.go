package stat

import (
	"math"
	"slices"
)

// exactMost is the most values, both samples together, for which Differ counts
// every way to deal them out. With more it takes the normal approximation.
const exactMost = 50

// Differ returns the two-sided p-value of the Mann-Whitney test for a and b
// being samples of the same distribution: twice the smaller tail, at most 1.
// Ties get the mean of their ranks. It is exact, given the ties, for up to 50
// values in all; for more it is the normal approximation, corrected for ties
// and for continuity. It is 1 where a sample is empty.
//
// Source: Henry B. Mann, Donald R. Whitney, "On a Test of Whether one of Two
// Random Variables is Stochastically Larger than the Other", Annals of
// Mathematical Statistics 18(1), 1947, p. 50-60; for ties Erich L. Lehmann,
// "Nonparametrics: Statistical Methods Based on Ranks", 1975, p. 18-23.
func Differ(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	sum, ties := rank(a, b)
	if len(a)+len(b) <= exactMost {
		return exact(len(a), sum, ties)
	}
	return normal(len(a), len(b), sum, ties)
}

// tie is a group of equal values.
type tie struct {
	size int
	rank int // twice the mean rank of its members, which is a whole number
}

// rank returns twice the sum of the ranks of a among the values of both, and
// the groups of equal values in ascending order.
func rank(a, b []float64) (sum int, ties []tie) {
	all := slices.Concat(a, b)
	slices.Sort(all)
	mine := slices.Sorted(slices.Values(a))
	for first := 0; first < len(all); {
		after := first + 1
		for after < len(all) && all[after] == all[first] {
			after++
		}
		t := tie{size: after - first, rank: first + 1 + after}
		for len(mine) > 0 && mine[0] == all[first] {
			sum += t.rank
			mine = mine[1:]
		}
		ties = append(ties, t)
		first = after
	}
	return sum, ties
}

// exact counts, among all ways to choose m of the values, those whose ranks
// add up to sum or less and to sum or more. The counts are whole numbers that
// a float64 holds, so that the order of the samples makes no difference.
func exact(m, sum int, ties []tie) float64 {
	// ways[k][s] is how many choices of k values have ranks that add up to s.
	most := 0
	for _, t := range ties {
		most += t.size * t.rank
	}
	ways := make([][]float64, m+1)
	for k := range ways {
		ways[k] = make([]float64, most+1)
	}
	ways[0][0] = 1
	for _, t := range ties {
		for k := m; k > 0; k-- { // downwards: below k nothing of this group is chosen yet
			choose := 1.0
			for c := 1; c <= min(t.size, k); c++ {
				choose = choose * float64(t.size-c+1) / float64(c)
				for s := c * t.rank; s <= most; s++ {
					ways[k][s] += choose * ways[k-c][s-c*t.rank]
				}
			}
		}
	}
	var below, above, all float64
	for s, w := range ways[m] {
		all += w
		if s <= sum {
			below += w
		}
		if s >= sum {
			above += w
		}
	}
	return min(1, 2*min(below, above)/all)
}

// normal approximates the distribution of the sum of ranks by the normal one
// with the same mean and variance. The sum takes values that are a step apart,
// as the ranks of the groups are; half a step is the correction for continuity.
func normal(m, n, sum int, ties []tie) float64 {
	all := float64(m + n)
	tied, step := 0.0, 0
	for i, t := range ties {
		size := float64(t.size)
		tied += size*size*size - size
		if i > 0 {
			step = gcd(step, t.rank-ties[i-1].rank)
		}
	}
	if step == 0 { // all values are equal
		return 1
	}
	variance := float64(m) * float64(n) / 12 * (all + 1 - tied/(all*(all-1)))
	// sum is twice the ranks', and so are its mean, m(m+n+1), and the step.
	off := math.Abs(float64(sum)-float64(m)*(all+1)) - float64(step)/2
	return math.Erfc(max(0, off) / 2 / math.Sqrt(2*variance))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
