package study

import (
	"fmt"
	"math"

	"shmbench/distributed/sim"
)

// verdict is what one place of the grid says about a claim.
type verdict int8

const (
	open  verdict = iota // the interval lies across the boundary
	holds                // the whole interval is on the claim's side
	fails                // the whole interval is on the other side
)

// both is the verdict on two things claimed together.
func both(vs ...verdict) verdict {
	all := holds
	for _, v := range vs {
		if v == fails {
			return fails
		}
		if v == open {
			all = open
		}
	}
	return all
}

// A claim is one thing that the paper's section 4.2 says, put as a comparison
// of points that has a verdict at each rate.
type claim struct {
	says    string // in our words
	scope   scope
	threads []int // numbers of threads a node that it is about; nil: all
	test    func(g *view) verdict
}

// scope is the rates that a claim is about.
type scope uint8

const (
	anyLoad scope = iota
	lightLoad
	highLoad
)

func (s scope) String() string {
	return [...]string{"any load", "light load", "high load"}[s]
}

// view is the grid seen from one number of nodes, of threads and one rate, under one
// reading of the algorithms that the paper means.
type view struct {
	points map[cell]*Point
	naming
	nodes, threads int
	rate           float64
	lightest       float64
	fewer          int // the next lower number of threads; 0 if there is none
}

// naming says which algorithms stand for the paper's first and second version.
type naming struct{ v1, v2 string }

var (
	piggybacked = naming{"alien-v1-pb", "alien-v2-pb"}
	plain       = naming{"alien-v1", "alien-v2"}
)

func (g *view) at(algorithm string) *Point { return g.place(algorithm, g.threads, g.rate) }

func (g *view) place(algorithm string, threads int, rate float64) *Point {
	return g.points[cell{algorithm, g.nodes, threads, rate}]
}

// less claims that a's values are below b's.
func less(of value, a, b *Point) verdict {
	if a == nil || b == nil {
		return open
	}
	return below(difference(of(a), of(b)), 0)
}

func below(i sim.Interval, limit float64) verdict {
	switch {
	case i.Highest() < limit:
		return holds
	case i.Lowest() > limit:
		return fails
	}
	return open
}

// alike claims that a's and b's means differ by less than a tenth of b's: the
// text's "almost the same" has no number.
func alike(of value, a, b *Point) verdict {
	if a == nil || b == nil {
		return open
	}
	d := difference(of(a), of(b))
	tenth := sim.MeanOf(of(b)).Mean / 10
	switch {
	case d.Highest() < tenth && d.Lowest() > -tenth:
		return holds
	case d.Lowest() > tenth || d.Highest() < -tenth:
		return fails
	}
	return open
}

// above claims that a's values are above limit.
func above(of value, a *Point, limit float64) verdict {
	if a == nil {
		return open
	}
	i := sim.MeanOf(of(a))
	return below(sim.Interval{Mean: -i.Mean, Half: orInfinite(i.Half)}, -limit)
}

func orInfinite(half float64) float64 {
	if math.IsNaN(half) {
		return math.Inf(1)
	}
	return half
}

// A Finding is a claim with what the measurements say about it.
type Finding struct {
	Claim   string   `json:"claim"`
	Load    string   `json:"load"`
	Status  string   `json:"status"`            // confirmed, refuted, depends on a reading, undecided
	Under   []Status `json:"readings"`          // the study's own first
	Regions []Region `json:"regions,omitempty"` // under the study's own
}

// Status is what one reading makes of a claim.
type Status struct {
	Reading string `json:"reading"`
	Status  string `json:"status"`
}

// A Region says at which rates a claim holds and at which it does not, for one number of
// nodes and of threads. The text gives spans such as "0.05–0.4".
type Region struct {
	Nodes   int    `json:"nodes"`
	Threads int    `json:"threads"`
	Holds   string `json:"holds"`
	Fails   string `json:"fails"`
	Open    string `json:"open"` // the interval does not decide
}

// spans writes the runs of neighboring rates with verdict v.
func spans(rates []float64, vs []verdict, v verdict) string {
	text := ""
	for i := 0; i < len(rates); i++ {
		if vs[i] != v {
			continue
		}
		first := i
		for i+1 < len(rates) && vs[i+1] == v {
			i++
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprint(rates[first])
		if i > first {
			text += fmt.Sprintf("–%v", rates[i])
		}
	}
	return text
}
