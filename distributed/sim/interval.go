package sim

import (
	"encoding/json"
	"fmt"
	"math"
)

// An Interval is a mean with the half-width of its 95% confidence interval.
// Half is not a number where there were fewer than two values to judge by, and
// Mean where there was none.
type Interval struct {
	Mean, Half float64
}

// MeanOf returns the mean of values that are independent and about normal,
// with Student's interval.
func MeanOf(values []float64) Interval {
	n := float64(len(values))
	if n == 0 {
		return Interval{math.NaN(), math.NaN()}
	}
	var sum float64
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	if n == 1 {
		return Interval{mean, math.NaN()}
	}
	var squares float64
	for _, v := range values {
		d := v - mean
		squares += float64(d * d)
	}
	return Interval{mean, float64(student(len(values)-1) * math.Sqrt(squares/float64((n-1)*n)))}
}

// Lowest and Highest are the ends of the interval.
func (i Interval) Lowest() float64  { return i.Mean - i.Half }
func (i Interval) Highest() float64 { return i.Mean + i.Half }

func (i Interval) String() string {
	if math.IsNaN(i.Mean) {
		return "–"
	}
	if math.IsNaN(i.Half) {
		return fmt.Sprintf("%.4g", i.Mean)
	}
	return fmt.Sprintf("%.4g ±%.2g", i.Mean, i.Half)
}

// Number is a float64 that JSON writes as null when it is not finite.
type Number float64

// MarshalJSON implements json.Marshaler.
func (x Number) MarshalJSON() ([]byte, error) {
	if v := float64(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// student returns the 97.5% quantile of Student's t distribution with the
// given degrees of freedom: a table, and above it Fisher's expansion.
func student(degrees int) float64 {
	table := [...]float64{
		12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
		2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
		2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
	}
	if degrees <= len(table) {
		return table[degrees-1]
	}
	n := float64(degrees)
	return 1.959964 + 2.372271/n + 2.822510/float64(n*n)
}
