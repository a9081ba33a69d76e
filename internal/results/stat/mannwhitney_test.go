package stat

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// permuted is the p-value by its definition: every way to choose which of the
// values are the first sample, and how often the sum of their ranks is as far
// out.
func permuted(a, b []float64) float64 {
	all := slices.Concat(a, b)
	// The statistic counts the pairs that the first sample wins, a tie for half.
	wins := func(chosen uint) (sum float64) {
		for i, x := range all {
			for j, y := range all {
				if chosen>>i&1 == 1 && chosen>>j&1 == 0 {
					switch {
					case x > y:
						sum++
					case x == y:
						sum += 0.5
					}
				}
			}
		}
		return sum
	}
	seen := wins(1<<len(a) - 1)
	var ways, below, above float64
	for chosen := uint(0); chosen < 1<<len(all); chosen++ {
		if bits.OnesCount(chosen) != len(a) {
			continue
		}
		ways++
		w := wins(chosen)
		if w <= seen {
			below++
		}
		if w >= seen {
			above++
		}
	}
	return min(1, 2*min(below, above)/ways)
}

// draw returns samples of m and n values, many of them tied.
func draw(dice *rand.Rand, m, n int) (a, b []float64) {
	values := 1 + dice.IntN(m+n)
	for range m {
		a = append(a, float64(dice.IntN(values))/4)
	}
	for range n {
		b = append(b, float64(dice.IntN(values))/4)
	}
	return a, b
}

func TestDifferIsThePermutationTest(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		a, b := draw(dice, 1+dice.IntN(6), 1+dice.IntN(5))
		require.InDelta(t, permuted(a, b), Differ(a, b), 1e-12, "%v against %v", a, b)
	}
}

func TestDifferDoesNotMindTheOrder(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		a, b := draw(dice, 1+dice.IntN(40), 1+dice.IntN(40)) // exact and approximate
		p := Differ(a, b)
		require.Equal(t, p, Differ(b, a), "%v against %v", a, b)
		require.True(t, p > 0 && p <= 1, "p = %v of %v against %v", p, a, b)
		dice.Shuffle(len(a), func(i, j int) { a[i], a[j] = a[j], a[i] })
		require.Equal(t, p, Differ(a, b))
	}
}

func TestDifferOfKnownSamples(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		p    float64
	}{
		{[]float64{1, 1, 1, 1}, []float64{0.5, 0.5, 1}, 10.0 / 35},
		{[]float64{2, 3, 1, 1, 1, 1, 1, 1}, []float64{1}, 1},
		{[]float64{2, 3, 1, 1, 1, 1, 1, 1}, []float64{4}, 2.0 / 9},
		{[]float64{1, 1}, []float64{1, 1}, 1},
		{[]float64{1, 2, 3, 4, 5}, []float64{11, 12, 13, 14, 15}, 2.0 / 252},
		// Two of the 70 sums of four ranks are 11 or less: 1+2+3+4, 1+2+3+5.
		{[]float64{1, 2, 3, 5}, []float64{4, 6, 7, 8}, 4.0 / 70},
		{nil, []float64{1}, 1},
		{[]float64{1}, nil, 1},
	} {
		require.InDelta(t, c.p, Differ(c.a, c.b), 1e-12, "%v against %v", c.a, c.b)
	}
}

// sequence returns n values that begin with first, step apart.
func sequence(first, step float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = first + step*float64(i)
	}
	return values
}

// Where exact counting ends the approximation is near, with ties and without,
// and on either side of the limit.
func TestApproximationIsNearTheExactTest(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	for i := range 15 {
		a, b := draw(dice, 20+dice.IntN(20), 20+dice.IntN(20))
		for j := range b {
			b[j] += float64(i%3) / 4 // some differ, and some do not
		}
		sum, ties := rank(a, b)
		require.InDelta(t, exact(len(a), sum, ties), normal(len(a), len(b), sum, ties), 0.03)
	}
	require.Equal(t, 1.0, Differ(sequence(1, 0, 30), sequence(1, 0, 30)), "all values are equal")
}

func TestExactUpToFiftyValues(t *testing.T) {
	a := sequence(0, 1, 25)
	for n, approximate := range map[int]bool{25: false, 26: true} {
		b := sequence(12.5, 1, n)
		sum, ties := rank(a, b)
		got := Differ(a, b)
		if approximate {
			require.Equal(t, normal(25, n, sum, ties), got)
		} else {
			require.Equal(t, exact(25, sum, ties), got)
		}
	}
	// The counts of 25 of 50 are still whole numbers.
	require.InEpsilon(t, LeastP(25, 25), Differ(a, sequence(100, 1, 25)), 1e-12)
}

// By hand: 30 against 30 values; 20 and 10 of them are 0 and the others 1.
// The ranks are 15.5 and 45.5, so that the sum goes in steps of 30; it is 150
// below its mean, and ties of 30 and 30 leave a variance of 75*(61-53940/3540).
func TestApproximationByHand(t *testing.T) {
	a := slices.Concat(sequence(0, 0, 20), sequence(1, 0, 10))
	b := slices.Concat(sequence(0, 0, 10), sequence(1, 0, 20))
	z := (150 - 15) / math.Sqrt(75*(61-2*(27000-30)/3540.0))
	require.InDelta(t, math.Erfc(z/math.Sqrt2), Differ(a, b), 1e-12)
	sum, ties := rank(a, b)
	require.InDelta(t, exact(30, sum, ties), Differ(a, b), 0.003)
	// Without ties it is the formula of the textbooks.
	c, d := sequence(0, 1, 30), sequence(3.5, 1, 30)
	u := 0.0
	for _, x := range c {
		for _, y := range d {
			if x > y {
				u++
			}
		}
	}
	require.InDelta(t, math.Erfc((450-u-0.5)/math.Sqrt(75*61)/math.Sqrt2), Differ(c, d), 1e-12)
}

func BenchmarkDiffer(b *testing.B) {
	for _, n := range []int{8, 25, 100} {
		x, y := sequence(0, 1, n), sequence(0.5, 1, n)
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			for b.Loop() {
				Differ(x, y)
			}
		})
	}
}

func TestAnEmptySampleOfMany(t *testing.T) {
	require.Equal(t, 1.0, Differ(nil, sequence(0, 1, 60)))
	require.Equal(t, 1.0, Differ(sequence(0, 1, 60), nil))
}
