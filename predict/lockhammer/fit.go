package lockhammer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"shmbench/predict"
)

// FitTo are the programs that a machine is fitted to, at no work.
var FitTo = []string{"incdec_refcount", "ticket_spinlock"}

// fewest is the least number of threads whose figures are trusted.
const fewest = 4

// Options bound a fit or a validation.
type Options struct {
	// Accesses is the number of accesses of a point.
	Accesses int
	// Evaluations is how many times a fit tries parameters, at most, for each of them.
	Evaluations int
	Seed        uint64
	// Any says that a fit may be to any programs, if there are too few points of FitTo.
	Any  bool
	Tell func(done, of int, what string)
}

// Defaults are the options of the committed tables.
var Defaults = Options{Accesses: 8000, Evaluations: 20, Seed: 1}

// perAcquisition is about how many accesses an acquisition makes.
var perAcquisition = map[string]int{"incdec_refcount": 2, "ticket_spinlock": 8, "swap_mutex": 25, "queued_spinlock": 18, "osq_lock": 25, "cas_event_mutex": 5, "empty": 1}

// Predict returns the figure of a point on a machine. Every thread calibrates the loop of the
// tool while its sibling is as busy. So the loop is shorter while the sibling is idle.
func Predict(m *predict.Machine, p Point, o Options) (ns float64, accesses int64, err error) {
	load := p.Load
	if siblings(m, p.Threads) {
		c := calibrated(m)
		load.CS /= c
		load.NCS /= c
	}
	least := min(40, max(12, 2000/p.Threads))
	if p.Lock == "swap_mutex" {
		least = min(80, max(40, 6400/p.Threads)) // it is unfair: near the end fewer threads compete
	}
	if slices.Contains(FitTo, p.Lock) || p.Lock == "osq_lock" {
		least = 15 // all threads make the same number at any time
	}
	each := o.Accesses / max(1, perAcquisition[p.Lock]) / p.Threads
	if p.Lock == "cas_event_mutex" {
		each = max(each, 25000/p.Threads) // its backoff is longer than a short run
	}
	seeds := 1
	if p.Threads <= 16 {
		seeds = 3 // the start orders the threads for the whole run
	}
	all := make([]float64, seeds)
	for i := range all {
		var n int64
		all[i], n, err = Simulate(m, p.Lock, p.Threads, load, max(least, each/seeds), o.Seed+uint64(i))
		if err != nil {
			return 0, 0, err
		}
		accesses += n
	}
	slices.Sort(all)
	return all[seeds/2], accesses, nil
}

// overlap is how much of the time the sibling of a thread that calibrates its loop is in
// its own; for the rest it reads the clock, and is taken to cost what a poller does. It is
// the tool's and the same for all hosts: 0.25 is assumed, as the queue locks of two hosts show it.
const overlap = 0.25

// calibrated is how many times as long the tool's loop took when it was calibrated.
func calibrated(m *predict.Machine) float64 {
	return m.SiblingPoll + overlap*(m.SiblingWork-m.SiblingPoll)
}

// siblings reports whether the first threads share a core.
func siblings(m *predict.Machine, threads int) bool { return m.Together(threads) > 1 }

// usable reports whether a point is to be trusted on a machine.
func usable(m *predict.Machine, p Point) bool {
	return p.Threads >= fewest && p.Threads < m.Processors() && slices.Contains(Programs, p.Lock)
}

// chosen returns the points that a machine can be fitted to, of those that are wanted: at most
// twelve of each program.
func chosen(m *predict.Machine, points []Point, wanted func(Point) bool) (all []Point) {
	for _, name := range Programs {
		var curve []Point
		for _, p := range points {
			if p.Lock == name && usable(m, p) && wanted(p) {
				curve = append(curve, p)
			}
		}
		slices.SortStableFunc(curve, func(a, b Point) int {
			return cmp.Or(cmp.Compare(a.CS, b.CS), cmp.Compare(a.NCS, b.NCS), cmp.Compare(a.Threads, b.Threads))
		})
		all = append(all, predict.Thin(curve, 12)...)
	}
	return all
}

// Host fits a machine to points of one host. The costs that siblings cause each other are
// fitted to empty. The rest are fitted to FitTo at no work, or to any programs if the points
// may be of any. Host returns the machine's error at the points that it was fitted to.
func Host(ctx context.Context, m *predict.Machine, points []Point, o Options) (*predict.Machine, []predict.Residual, error) {
	const least = 4
	fitted := chosen(m, points, func(p Point) bool { return slices.Contains(FitTo, p.Lock) && p.Load == (Load{}) })
	if len(fitted) < least && o.Any {
		fitted = chosen(m, points, func(p Point) bool { return p.Lock != "empty" && !unjudged(p) })
	}
	if len(fitted) < least {
		of := join(FitTo) + " with no work"
		if o.Any {
			of = "any program"
		}
		return nil, nil, fmt.Errorf("the points to fit to are %d, of %s and %d to %d threads; it takes %d", len(fitted), of, fewest, m.Processors()-1, least)
	}
	siblingWork(m, points)
	most, polls := 0, false
	var names []string
	for _, p := range fitted {
		most = max(most, p.Threads)
		polls = polls || p.Lock != "incdec_refcount" && p.Lock != "swap_mutex"
		if !slices.Contains(names, p.Lock) {
			names = append(names, p.Lock)
		}
	}
	quick := o
	quick.Accesses = o.Accesses / 2
	residual := func(m *predict.Machine, i int) (float64, error) {
		ns, _, err := Predict(m, fitted[i], quick)
		return math.Log(ns / fitted[i].NS), err
	}
	parameters := m.Parameters(most, polls)
	result, logs, err := predict.Fit(ctx, m, parameters, len(fitted), residual, o.Evaluations, o.Tell)
	if err != nil {
		return nil, nil, err
	}
	var residuals []predict.Residual
	for i, p := range fitted {
		residuals = append(residuals, predict.Residual{Curve: fmt.Sprintf("%s cs=%g ncs=%g", p.Lock, p.CS, p.NCS), Processes: p.Threads, Log: logs[i]})
	}
	siblings := ""
	if slices.Contains(result.Fitted, "sibling_work") {
		siblings = "; empty for the siblings"
	}
	work := "at no work"
	if slices.ContainsFunc(fitted, func(p Point) bool { return p.Load != Load{} }) {
		work = "at all loads"
	}
	result.Fit = fmt.Sprintf("fitted to %d points of %s (%s %s, %d threads or more%s): root mean square of ln(model/measured) %.3f",
		len(fitted), points[0].Host, join(names), work, fewest, siblings, predict.RMS(logs))
	return result, residuals, nil
}

// siblingWork takes from the loop without a lock what siblings cost each other in it. What
// that loop takes without work, at the same number of threads, is the start and the end of
// the threads.
func siblingWork(m *predict.Machine, points []Point) {
	edges := map[int]float64{}
	for _, p := range points {
		if p.Lock == "empty" && p.Load == (Load{}) {
			edges[p.Threads] = p.NS
		}
	}
	var ratios []float64 // how many times as long the loop takes as calibrated
	for _, p := range points {
		if usable(m, p) && p.Lock == "empty" && p.CS+p.NCS >= 200 && siblings(m, p.Threads) {
			edge, ok := edges[p.Threads]
			if !ok {
				edge = joining / (acquisitions * float64(p.Threads))
			}
			ratios = append(ratios, (p.NS-edge)*float64(p.Threads)/(p.CS+p.NCS))
		}
	}
	if len(ratios) == 0 {
		return
	}
	slices.Sort(ratios)
	ratio := min(ratios[len(ratios)/2], 0.6/overlap)
	m.SiblingWork = math.Round(max(1, ratio*(1-overlap)*m.SiblingPoll/(1-ratio*overlap))*100) / 100
	m.Fitted = append(m.Fitted, "sibling_work")
	m.Assumed = slices.DeleteFunc(m.Assumed, func(s string) bool { return s == "sibling_work" })
}

func join(words []string) string {
	text := ""
	for i, w := range words {
		if i > 0 {
			text += " and "
		}
		text += w
	}
	return text
}
