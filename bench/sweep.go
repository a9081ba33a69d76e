package bench

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

	"shmbench/internal/results/stat"
	"shmbench/shm"
)

// A Sweep is the part of a workload that grows from step to step. The steps are the same
// on every machine, so that their results can be compared.
type Sweep string

// The sweeps.
const (
	NoSweep  Sweep = ""
	SweepCS  Sweep = "cs"   // the critical section
	SweepNCS Sweep = "ncs"  // the remainder section
	Rates    Sweep = "rate" // arrivals, each lock until it is saturated
)

// sweptLengths are the lengths of a section. The shortest is about an uncontended
// passage, and the longest is about a system call.
var sweptLengths = []time.Duration{0, 20, 50, 100, 200, 500, 1000, 2000, 5000}

// Steps returns the greatest number of suites that a sweep needs for one number of
// processes.
func (w Sweep) Steps() int {
	switch w {
	case NoSweep:
		return 1
	case Rates:
		return 1 + mostRates
	}
	return len(sweptLengths)
}

// A Taker takes the samples of a suite, as Suite.Run does.
type Taker func(context.Context, Suite, Listener) error

// Sweep takes the samples of the suite with take. If over names a sweep, it takes one
// suite after another.
func (s Suite) Sweep(ctx context.Context, over Sweep, take Taker, l Listener) error {
	switch over {
	case NoSweep:
		return take(ctx, s, l)
	case Rates:
		return s.rates(ctx, take, l)
	}
	for _, length := range sweptLengths {
		if over == SweepCS {
			s.Workload.CS = length
		} else {
			s.Workload.NCS = length
		}
		if err := take(ctx, s, l); err != nil {
			return err
		}
	}
	return nil
}

// A decade has five rates of arrivals. The first rate is leastLoad times the rate of the
// lock in a closed loop. The rates end when a lock has missed two rates in a row, because
// it may miss one rate by chance. They end after mostRates in any case.
var rateDigits = []float64{1, 2, 3, 5, 7}

const (
	leastLoad = 0.01
	mostRates = 14
	// leastArrivals is the least mean number of arrivals in a window. With fewer there
	// is no figure.
	leastArrivals = 25
)

// nextRate returns the least rate of a sweep that is above r. If orEqual is set and r
// is a rate of the sweep, it returns r.
func nextRate(r float64, orEqual bool) float64 {
	for e := int(math.Floor(math.Log10(r))); ; e++ {
		for _, m := range rateDigits {
			// The rate is parsed from text, so that its name has no digits of rounding.
			rate, _ := strconv.ParseFloat(strconv.FormatFloat(m, 'f', 0, 64)+"e"+strconv.Itoa(e), 64)
			if rate > r || orEqual && rate == r {
				return rate
			}
		}
	}
}

// rates measures the locks in a closed loop, and then at growing rates.
func (s Suite) rates(ctx context.Context, take Taker, l Listener) error {
	for _, n := range s.Procs {
		step := s
		step.Procs = []int{n}
		fit, _ := step.Cases()
		if len(fit) == 0 {
			continue
		}
		step.Algorithms = nil
		for _, c := range fit {
			step.Algorithms = append(step.Algorithms, c.Algorithm)
		}
		closed := &keeper{Listener: l}
		if err := take(ctx, step, closed); err != nil {
			return err
		}
		for locks := s.unloaded(fit, closed); len(locks) > 0; {
			step.Workload.Rate, step.Algorithms = lowest(locks)
			taken := &keeper{Listener: l}
			if err := take(ctx, step, taken); err != nil {
				return err
			}
			w := step.workload(n)
			locks = slices.DeleteFunc(locks, func(l *loaded) bool {
				return l.next == w.Rate && !l.goOn(taken.of(l.Name, w))
			})
		}
	}
	return nil
}

// loaded is a lock under growing rates.
type loaded struct {
	shm.Algorithm
	next, most float64
	behind     bool // at the last rate
}

// unloaded returns the locks that were measured in a closed loop, each with its first rate.
func (s Suite) unloaded(cases []Case, closed *keeper) (locks []*loaded) {
	for _, c := range cases {
		var times []float64
		for _, r := range closed.of(c.Algorithm.Name, s.workload(c.Procs)) {
			if v, ok := r.Value("sec/op"); ok {
				times = append(times, v)
			}
		}
		if times == nil {
			continue // the listener was told why
		}
		can := 1 / (stat.Summary(times).Center * float64(c.Procs))
		first := nextRate(max(leastLoad*can, leastArrivals/s.Options.Duration.Seconds()), true)
		most := first
		for range mostRates - 1 {
			most = nextRate(most, false)
		}
		locks = append(locks, &loaded{Algorithm: c.Algorithm, next: first, most: most})
	}
	return locks
}

// lowest returns the lowest next rate of the locks, and the locks with this rate.
func lowest(locks []*loaded) (rate float64, at []shm.Algorithm) {
	rate = math.Inf(1)
	for _, l := range locks {
		rate = min(rate, l.next)
	}
	for _, l := range locks {
		if l.next == rate {
			at = append(at, l.Algorithm)
		}
	}
	return rate, at
}

// goOn reports whether the lock has another rate, after these samples.
func (l *loaded) goOn(taken []*benchfmt.Result) bool {
	behind := 0
	for _, r := range taken {
		if Behind(r) {
			behind++
		}
	}
	twice := l.behind
	l.behind = 2*behind > len(taken)
	if l.behind && twice || l.next >= l.most {
		return false
	}
	l.next = nextRate(l.next, false)
	return true
}

// keeper is a listener that keeps the results.
type keeper struct {
	Listener
	lines []Line
}

func (k *keeper) Line(l Line) error {
	k.lines = append(k.lines, l)
	return k.Listener.Line(l)
}

// of returns the samples of a lock with a workload.
func (k *keeper) of(algorithm string, w Workload) (samples []*benchfmt.Result) {
	name := w.Name(algorithm)
	for _, l := range k.lines {
		if l.Name == name {
			samples = append(samples, l.Result())
		}
	}
	return samples
}
