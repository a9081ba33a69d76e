package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Distribution says how long something takes: a message's delay, a critical
// section. The zero Distribution is no time at all.
type Distribution struct {
	shape shape
	a, b  time.Duration // fixed a; uniform in [a, b]; otherwise of mean a
	k     int           // stages of an Erlang distribution
	table *table        // of a distribution that was measured
}

// table is what was measured: a is its mean, b its greatest.
type table []time.Duration

type shape uint8

const (
	fixed shape = iota
	uniform
	exponential
	erlang
	sampled
)

// Fixed always takes d.
func Fixed(d time.Duration) Distribution { return Distribution{shape: fixed, a: d} }

// Uniform takes from least to most, all alike.
func Uniform(least, most time.Duration) Distribution {
	return Distribution{shape: uniform, a: least, b: most}
}

// Exponential has the given mean and no bound.
func Exponential(mean time.Duration) Distribution {
	return Distribution{shape: exponential, a: mean}
}

// Erlang is the sum of k exponential stages, of the given mean in all: the
// more stages, the less it varies.
func Erlang(k int, mean time.Duration) Distribution {
	return Distribution{shape: erlang, a: mean, k: k}
}

// Sampled takes what was measured: one of these times, all alike, at least a
// nanosecond. It panics if there is none.
func Sampled(times []time.Duration) Distribution {
	d := Distribution{shape: sampled, table: new(table)}
	var sum float64
	for _, t := range times {
		t = max(t, 1)
		*d.table = append(*d.table, t)
		sum += float64(t)
		d.b = max(d.b, t)
	}
	if d.b == 0 {
		panic("sim: a distribution of no samples")
	}
	d.a = time.Duration(sum / float64(len(times)))
	return d
}

// DistributionForms says in words what ParseDistribution reads.
const DistributionForms = `a time such as "10ms", "uniform:0s,100ms", "exp:50ms" or "erlang:3,50ms"`

// ParseDistribution reads what String writes: "10ms", "uniform:0s,100ms",
// "exp:50ms" or "erlang:3,50ms".
func ParseDistribution(text string) (Distribution, error) {
	fail := func() (Distribution, error) {
		return Distribution{}, fmt.Errorf("%q is no distribution: want %s", text, DistributionForms)
	}
	name, args, found := strings.Cut(text, ":")
	if !found {
		name, args = "", text
	}
	first, second, two := strings.Cut(args, ",")
	if two != (name == "uniform" || name == "erlang") {
		return fail()
	}
	var d Distribution
	var err, err2 error
	switch name {
	case "":
		d.a, err = time.ParseDuration(first)
	case "exp":
		d.shape = exponential
		d.a, err = time.ParseDuration(first)
	case "uniform":
		d.shape = uniform
		d.a, err = time.ParseDuration(first)
		d.b, err2 = time.ParseDuration(second)
	case "erlang":
		d.shape = erlang
		d.k, err = strconv.Atoi(first)
		d.a, err2 = time.ParseDuration(second)
	default:
		return fail()
	}
	if err != nil || err2 != nil {
		return fail()
	}
	if err := d.check(); err != nil {
		return Distribution{}, fmt.Errorf("%q: %w", text, err)
	}
	return d, nil
}

// String writes d as ParseDistribution reads it, and one that was measured in words.
func (d Distribution) String() string {
	switch d.shape {
	case uniform:
		return fmt.Sprintf("uniform:%v,%v", d.a, d.b)
	case exponential:
		return fmt.Sprintf("exp:%v", d.a)
	case erlang:
		return fmt.Sprintf("erlang:%d,%v", d.k, d.a)
	case sampled:
		return fmt.Sprintf("measured, mean %v, at most %v", d.a, d.b)
	}
	return d.a.String()
}

// Mean returns d's mean.
func (d Distribution) Mean() time.Duration {
	if d.shape == uniform {
		return d.a + (d.b-d.a)/2
	}
	return d.a
}

// Bound returns the longest that d takes, or, where there is no bound, a time
// that it exceeds about once in 10^8 draws or less: 20 times the mean.
func (d Distribution) Bound() time.Duration {
	switch d.shape {
	case uniform, sampled:
		return d.b
	case exponential, erlang:
		return 20 * d.a
	}
	return d.a
}

// LongestTime is the longest time that options may name, and clockEnd the time at
// which any run ends: together they keep every sum far from overflow.
const (
	LongestTime = 30 * 24 * time.Hour
	clockEnd    = 1 << 61 // ns, 73 years
)

func (d Distribution) check() error {
	switch {
	case d.a < 0:
		return fmt.Errorf("a time of %v: it must not be negative", d.a)
	case d.a > LongestTime || d.b > LongestTime:
		return fmt.Errorf("a time of %v: at most %v", max(d.a, d.b), LongestTime)
	case d.shape == uniform && d.b < d.a:
		return fmt.Errorf("uniform from %v to %v: the least comes first", d.a, d.b)
	case d.shape == erlang && (d.k < 1 || d.k > 1000):
		return fmt.Errorf("an Erlang distribution of %d stages: from 1 to 1000", d.k)
	}
	return nil
}

// draw returns one time.
func (d *Distribution) draw(s *stream) time.Duration {
	switch d.shape {
	case uniform:
		return d.a + time.Duration(s.below(int64(d.b-d.a)+1))
	case exponential:
		return scale(s.exponential(), d.a)
	case erlang:
		var sum float64
		for range d.k {
			sum += s.exponential()
		}
		return scale(sum/float64(d.k), d.a)
	case sampled:
		return (*d.table)[s.below(int64(len(*d.table)))]
	}
	return d.a
}

func scale(x float64, d time.Duration) time.Duration {
	return time.Duration(float64(x * float64(d)))
}
