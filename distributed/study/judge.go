package study

import (
	"cmp"
	"slices"
)

// The statuses of a Finding.
const (
	Confirmed = "confirmed"            // holds at every rate and number of threads that the claim is about
	Refuted   = "refuted"              // fails at one of them
	Undecided = "undecided"            // some interval lies across the boundary, none refutes
	Depends   = "depends on a reading" // one reading confirms what another refutes
)

// Own is the name under which a Finding lists the study's own reading.
const Own = "own"

// ends says which rates a claim's scope takes in.
type ends struct {
	top float64 // the highest rate of all, and the only one of high load
}

// The paper lets λ run to 1. For a reader, perhaps only saturation is a high load: such a reader applies its
// claims to the highest of our rates.
const paperTop = 1

func (e ends) has(s scope, rates []float64, rate float64) bool {
	within := rates
	if i := slices.IndexFunc(rates, func(r float64) bool { return r > e.top }); i > 0 {
		within = rates[:i]
	}
	switch s {
	case lightLoad: // the two lowest, 0.05 and 0.1
		return rate <= within[min(1, len(within)-1)]
	case highLoad:
		return rate == within[len(within)-1]
	}
	return rate <= within[len(within)-1]
}

// Judge tests every claim. own is the study's grid, its first number of nodes
// the one that the text is about; others are grids under other readings.
func Judge(own []Point, others ...[]Point) []Finding {
	if len(own) == 0 {
		return nil
	}
	base := newBoard(own)
	highest := base.rates[len(base.rates)-1]
	findings := make([]Finding, len(claims))
	for i, c := range claims {
		f := Finding{Claim: c.says, Load: c.scope.String(), Regions: base.regions(c)}
		add := func(reading string, b *board, n naming, e ends) {
			f.Under = append(f.Under, Status{reading, b.status(c, n, e)})
		}
		add(Own, base, piggybacked, ends{paperTop})
		add("no-piggyback", base, plain, ends{paperTop})
		if highest > paperTop {
			add("rates-to-the-top", base, piggybacked, ends{highest})
		}
		for _, points := range others {
			if len(points) > 0 {
				add(points[0].Reading, newBoard(points), piggybacked, ends{paperTop})
			}
		}
		f.Status = f.Under[0].Status
		under := func(status string) bool {
			return slices.ContainsFunc(f.Under, func(u Status) bool { return u.Status == status })
		}
		if under(Confirmed) && under(Refuted) {
			f.Status = Depends
		}
		findings[i] = f
	}
	return findings
}

// board is the points of one reading by place.
type board struct {
	points         map[cell]*Point
	nodes, threads []int // in the order of the points; threads ascend
	rates          []float64
}

func newBoard(points []Point) *board {
	g := &board{points: map[cell]*Point{}}
	for i := range points {
		p := &points[i]
		g.points[cell{p.Algorithm, p.Nodes, p.Threads, p.Rate}] = p
		g.nodes, g.threads, g.rates = with(g.nodes, p.Nodes), with(g.threads, p.Threads), with(g.rates, p.Rate)
	}
	slices.Sort(g.threads)
	slices.Sort(g.rates)
	return g
}

func with[T cmp.Ordered](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// about returns the numbers of threads that c is about.
func (g *board) about(c claim) []int {
	return slices.DeleteFunc(slices.Clone(g.threads), func(m int) bool {
		return c.threads != nil && !slices.Contains(c.threads, m)
	})
}

// verdicts returns c's verdict at each rate.
func (g *board) verdicts(c claim, n naming, nodes, threads int) []verdict {
	v := view{points: g.points, naming: n, nodes: nodes, threads: threads, lightest: g.rates[0]}
	if i := slices.Index(g.threads, threads); i > 0 {
		v.fewer = g.threads[i-1]
	}
	vs := make([]verdict, len(g.rates))
	for i, rate := range g.rates {
		v.rate = rate
		vs[i] = c.test(&v)
	}
	return vs
}

// status judges c for the first number of nodes.
func (g *board) status(c claim, n naming, e ends) string {
	status := Undecided
	var held, wanted int
	for _, m := range g.about(c) {
		for i, v := range g.verdicts(c, n, g.nodes[0], m) {
			if !e.has(c.scope, g.rates, g.rates[i]) {
				continue
			}
			wanted++
			switch v {
			case fails:
				return Refuted
			case holds:
				held++
			}
		}
	}
	if wanted > 0 && held == wanted {
		status = Confirmed
	}
	return status
}

// regions says where c holds, for every number of nodes and of threads.
func (g *board) regions(c claim) []Region {
	var regions []Region
	for _, n := range g.nodes {
		for _, m := range g.about(c) {
			vs := g.verdicts(c, piggybacked, n, m)
			regions = append(regions, Region{n, m, spans(g.rates, vs, holds), spans(g.rates, vs, fails), spans(g.rates, vs, open)})
		}
	}
	return regions
}
