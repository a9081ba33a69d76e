package sim

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMinusLog(t *testing.T) {
	s := newStream(1, forArrivals)
	words := []uint64{0, 1, 1 << 12, 1<<12 - 1, 1 << 63, 1<<63 - 1, math.MaxUint64}
	for range 10_000 {
		words = append(words, s.pcg.Uint64()>>(s.pcg.Uint64()%64))
	}
	for _, x := range words {
		want := -math.Log((float64(x>>12) + 0.5) / (1 << 52))
		require.InDelta(t, want, minusLog(x), 1e-13*max(1, want), "x = %#x", x)
	}
	require.Equal(t, uint64(0x3fe62e42fefa39ed), math.Float64bits(minusLog(1<<63)), "bits of ln 2 less the half step, on every platform")
}

func TestStreamsOfPurposesDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(100) {
		for p := forArrivals; p <= forCuts; p++ {
			s := newStream(seed, p)
			seen[s.pcg.Uint64()] = true
		}
	}
	require.Len(t, seen, 100*int(forCuts))
}

func TestDistributions(t *testing.T) {
	for text, d := range map[string]struct {
		mean, deviation, bound time.Duration
	}{
		"10ms":              {10 * time.Millisecond, 0, 10 * time.Millisecond},
		"uniform:0s,100ms":  {50 * time.Millisecond, 28_867_513, 100 * time.Millisecond},
		"exp:50ms":          {50 * time.Millisecond, 50 * time.Millisecond, time.Second},
		"erlang:4,100ms":    {100 * time.Millisecond, 50 * time.Millisecond, 2 * time.Second},
		"uniform:10ms,10ms": {10 * time.Millisecond, 0, 10 * time.Millisecond},
	} {
		x, err := ParseDistribution(text)
		require.NoError(t, err)
		require.Equal(t, text, x.String())
		require.Equal(t, d.mean, x.Mean())
		require.Equal(t, d.bound, x.Bound())
		s := newStream(7, forDelays)
		const n = 100_000
		var sum, squares float64
		for range n {
			v := x.draw(&s)
			if v < 0 || v > x.Bound() {
				t.Fatalf("%s: %v", text, v)
			}
			sum += float64(v)
			squares += float64(v) * float64(v)
		}
		mean := sum / n
		require.InEpsilon(t, float64(d.mean), mean, 0.01, text)
		require.InDelta(t, float64(d.deviation), math.Sqrt(max(0, squares/n-mean*mean)), 0.01*float64(d.mean), text)
	}
	for _, text := range []string{"", "x", "uniform:1s", "exp:1s,2s", "erlang:1s", "normal:1s", "1e9h"} {
		_, err := ParseDistribution(text)
		require.ErrorContains(t, err, "is no distribution", text)
	}
	for text, says := range map[string]string{
		"-1s": "must not be negative", "uniform:2s,1s": "the least comes first", "erlang:0,1s": "from 1 to 1000", "9999h": "at most 720h0m0s",
	} {
		_, err := ParseDistribution(text)
		require.ErrorContains(t, err, says, text)
	}
}

// The exponential's distribution function, not only its moments: the empirical
// one of n draws is within 1.95/√n of it with probability 0.999.
func TestExponentialFits(t *testing.T) {
	const n = 100_000
	s := newStream(3, forArrivals)
	var below [60]int
	for range n {
		x := s.exponential()
		for i := range below {
			if x <= float64(i)/10 {
				below[i]++
			}
		}
	}
	for i, b := range below {
		require.InDelta(t, 1-math.Exp(-float64(i)/10), float64(b)/n, 1.95/math.Sqrt(n))
	}
}
