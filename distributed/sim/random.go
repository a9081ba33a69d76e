package sim

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// A purpose names one use of randomness. Each has a generator of its own, so
// that a change in one (a fault added, say) leaves the draws of the others be,
// and so that two algorithms under one seed see the same load.
type purpose uint64

const (
	forArrivals purpose = iota + 1
	forThreads
	forDelays
	forSections
	forLoss
	forDuplication
	forCrashes
	forCuts
	forMoves
)

// A stream is one seeded generator. All it computes is integer arithmetic or
// float64 operations rounded one by one, so that it gives the same values on
// every platform.
type stream struct {
	pcg rand.PCG
}

func newStream(seed uint64, p purpose) stream {
	s := mix(seed, uint64(p))
	return stream{*rand.NewPCG(s, mix(s, 0))}
}

// mix hashes a and b into one well-spread word (two rounds of Stafford's
// thirteenth variant of the finalizer of MurmurHash3, as in SplitMix64).
func mix(a, b uint64) uint64 {
	x := a + 0x9e3779b97f4a7c15
	for _, add := range [...]uint64{0, b + 0x9e3779b97f4a7c15} {
		x += add
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

// below returns a number in 0..n-1, n > 0; the bias is under n/2^64.
func (s *stream) below(n int64) int64 {
	hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int64(hi)
}

// chance returns true with probability p.
func (s *stream) chance(p float64) bool {
	return float64(s.pcg.Uint64()>>11) < float64(p*(1<<53))
}

// exponential returns an exponential variate of mean 1.
func (s *stream) exponential() float64 {
	return minusLog(s.pcg.Uint64())
}

// minusLog returns -ln((x>>12 + ½)/2^52), the inversion of the exponential
// distribution. Neither math.Log nor math.Exp will do: both have assembly on
// some platforms and may differ in the last bit. Here ln m = 2 artanh((m-1)/(m+1))
// for m in [√½, √2) by its series, and the conversions keep the compiler from
// fusing a product into a sum. The error is below 1e-13.
func minusLog(x uint64) float64 {
	const mantissa = 1<<52 - 1
	word := math.Float64bits(float64(x>>12) + 0.5) // exact: 53 bits
	exponent := int(word>>52) - 1023 - 52
	m := math.Float64frombits(word&mantissa | 1023<<52)
	if m > math.Sqrt2 {
		m /= 2
		exponent++
	}
	s := (m - 1) / (m + 1)
	z := s * s
	series := 1.0 / 15
	for _, c := range [...]float64{1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1} {
		series = float64(series*z) + c
	}
	return float64(-float64(exponent)*math.Ln2) - float64(2*s*series)
}
