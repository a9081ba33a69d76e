package report

import (
	"fmt"
	"math"
	"strconv"

	"shmbench/internal/results/stat"
)

// number formats v with three digits or more.
func number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "?"
	case v == 0 || math.Abs(v) >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', min(6, max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))), 64)
}

// spread is the median of times in ns, with its interval.
func spread(seconds []float64) string { return scaled(seconds, 1e9) }

// scaled is the median of values times scale, with its interval. Few samples have no
// interval, which the text says.
func scaled(values []float64, scale float64) string {
	s := stat.Summary(values)
	text := number(s.Center * scale)
	switch {
	case len(values) == 1:
		return text + " (one sample)"
	case math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0):
		return fmt.Sprintf("%s (no interval: %d samples, it takes %d)", text, len(values), stat.LeastForInterval)
	}
	return fmt.Sprintf("%s [%s, %s]", text, number(s.Lo*scale), number(s.Hi*scale))
}

// times is a quotient with its interval, "2.00 times as long [1.90, 2.10]".
func times(quotient, low, high float64) string {
	text := number(quotient) + " times as long"
	if math.IsInf(low, 0) || math.IsInf(high, 0) || math.IsNaN(low) || math.IsNaN(high) || low <= 0 {
		return text
	}
	return fmt.Sprintf("%s [%s, %s]", text, number(low), number(high))
}

// chance is a p-value, which is never 0.
func chance(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// two formats v with two digits or more.
func two(v float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	if rounded <= 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return number(v)
	}
	return strconv.FormatFloat(v, 'f', min(6, max(0, 1-int(math.Floor(math.Log10(rounded))))), 64)
}
