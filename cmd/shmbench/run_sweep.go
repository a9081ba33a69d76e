package main

import (
	"fmt"
	"math"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/stat"
	"shmbench/shm"
)

// rateFlag is a rate of arrivals, or a sweep of rates.
type rateFlag struct {
	rate  float64
	sweep bool
}

func (r *rateFlag) String() string {
	if r.sweep {
		return "sweep"
	}
	return strconv.FormatFloat(r.rate, 'g', -1, 64)
}

func (r *rateFlag) Set(s string) (err error) {
	if *r = (rateFlag{sweep: s == "sweep"}); r.sweep {
		return nil
	}
	if r.rate, err = strconv.ParseFloat(s, 64); err != nil || !(r.rate >= 0 && r.rate <= bench.MaxRate) {
		return fmt.Errorf("write a number of arrivals a second between 0 and %.0f, or sweep", bench.MaxRate)
	}
	return nil
}

// A sweep goes by the same rates on every machine, so that their results can be
// compared: sweepRates a decade, from sweepFrom of what the lock can do in a closed
// loop. It ends when a lock has not reached two rates in a row, as one may be
// missed by chance, and after sweepSteps in any case.
var sweepRates = []float64{1, 2, 3, 5, 7}

const (
	sweepFrom  = 0.01
	sweepSteps = 14
	// sweepArrivals is how many a window has at least, in the mean: with fewer there
	// is no figure.
	sweepArrivals = 25
)

// nextRate is the least rate of a sweep that is above r, or r itself if that is one and
// orEqual.
func nextRate(r float64, orEqual bool) float64 {
	for e := int(math.Floor(math.Log10(r))); ; e++ {
		for _, m := range sweepRates {
			// Read as it is written, for a rate's name has no digits of rounding.
			rate, _ := strconv.ParseFloat(strconv.FormatFloat(m, 'f', 0, 64)+"e"+strconv.Itoa(e), 64)
			if rate > r || orEqual && rate == r {
				return rate
			}
		}
	}
}

// sweep measures the locks in a closed loop, and then at growing rates, each until it
// is saturated. measure takes the samples of one step, and samples gives them back.
func (f *runFlags) sweep(procs []int, algorithms []shm.Algorithm, measure func(algorithms []shm.Algorithm, procs int, rate float64) error,
	samples func(algorithm string, w bench.Workload) []*benchfmt.Result) error {
	for _, n := range procs {
		w := bench.Workload{Procs: n, CS: f.cs.Duration, Lines: f.csLines}
		var fit []shm.Algorithm
		for _, a := range algorithms {
			if n >= a.MinProcs && n <= a.MaxProcs {
				fit = append(fit, a)
			}
		}
		if fit == nil {
			continue
		}
		if err := measure(fit, n, 0); err != nil {
			return err
		}
		type lock struct {
			shm.Algorithm
			next, most float64
			behind     bool // at the last rate
		}
		var locks []lock
		for _, a := range fit {
			var times []float64
			for _, r := range samples(a.Name, w) {
				if v, ok := r.Value("sec/op"); ok {
					times = append(times, v)
				}
			}
			if times == nil {
				continue // said when it failed
			}
			can := 1 / (stat.Summary(times).Center * float64(n))
			first := nextRate(max(sweepFrom*can, sweepArrivals/f.d.Seconds()), true)
			last := first
			for range sweepSteps - 1 {
				last = nextRate(last, false)
			}
			locks = append(locks, lock{a, first, last, false})
		}
		for len(locks) > 0 {
			rate := math.Inf(1)
			for _, l := range locks {
				rate = min(rate, l.next)
			}
			var step []shm.Algorithm
			for _, l := range locks {
				if l.next == rate {
					step = append(step, l.Algorithm)
				}
			}
			if err := measure(step, n, rate); err != nil {
				return err
			}
			w.Rate = rate
			var left []lock
			for _, l := range locks {
				if l.next == rate {
					taken, behind := samples(l.Name, w), 0
					for _, r := range taken {
						if bench.Behind(r) {
							behind++
						}
					}
					if 2*behind <= len(taken) {
						l.behind = false
					} else if l.behind {
						continue
					} else {
						l.behind = true
					}
					if rate >= l.most {
						continue
					}
					l.next = nextRate(rate, false)
				}
				left = append(left, l)
			}
			locks = left
			w.Rate = 0
		}
	}
	return nil
}
