// Package stat holds what x/perf's statistics leave open.
package stat

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Confidence is the level of every interval.
const Confidence = 0.95

// LeastForInterval is the least number of samples whose median has an interval of this
// level. With fewer, both ends are infinite.
const LeastForInterval = 6

// Significant is the p-value below which a difference counts, after correction for all
// comparisons that are looked at together. At 0.05 one comparison in twenty of a thing with
// itself shows a difference: of twenty, two or more do in 26 runs of a hundred. At 0.01 they
// do in fewer than two.
const Significant = 0.01

// Summary returns the median of values and an interval for it from the order
// statistics, which assumes nothing about their distribution.
func Summary(values []float64) benchmath.Summary {
	s := benchmath.AssumeNothing.Summary(sample(values), Confidence)
	if len(values) < LeastForInterval {
		s.Lo, s.Hi = math.Inf(-1), math.Inf(1)
	}
	return s
}

func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// Holm corrects p-values that are looked at together. So the chance
// of one or more false alarms among them stays what it is for one.
//
// Source: Sture Holm, "A Simple Sequentially Rejective Multiple Test
// Procedure", Scandinavian Journal of Statistics 6(2), 1979, p. 65-70.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	corrected := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		corrected[i] = least
	}
	return corrected
}

// LeastP is the least p-value that Differ can return for n and m values: that
// of samples that do not overlap at all.
func LeastP(n, m int) float64 {
	p := 2.0 // for both directions
	for i := 1; i <= n; i++ {
		p *= float64(i) / float64(m+i)
	}
	return min(1, p)
}

// Enough is the least number of samples, of each of two, with which one of so many
// comparisons can be significant.
func Enough(comparisons int) int {
	n := 1
	for LeastP(n, n)*float64(comparisons) >= Significant {
		n++
	}
	return n
}

// Jain is Jain's fairness index of shares: 1 if all are equal, 1/len(shares) if
// one has everything. It is 1 where all values are 0.
//
// Source: Rajendra K. Jain, Dah-Ming W. Chiu, William R. Hawe, "A Quantitative
// Measure of Fairness and Discrimination for Resource Allocation in Shared
// Computer Systems", DEC-TR-301, 1984.
func Jain[T ~int64 | ~uint64](shares []T) float64 {
	var sum, squares float64
	for _, share := range shares {
		x := float64(share)
		sum += x
		squares += float64(x * x)
	}
	if squares == 0 {
		return 1
	}
	return float64(sum*sum) / float64(float64(len(shares))*squares)
}
