package main

import (
	"math"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/report/rank"
	"shmbench/shm"
)

// layoutPair is a lock in its default layout, and the same lock in the other layout.
type layoutPair struct{ usual, other shm.Algorithm }

// layoutPairs returns the pairs of those locks that have two layouts. Variants with release
// stores count as their lock.
func layoutPairs(algorithms []shm.Algorithm) (pairs []layoutPair) {
	all := catalog.All()
	for _, a := range algorithms {
		if a.VariantOf != "" {
			continue
		}
		for _, b := range all {
			if b.VariantOf == a.Name && b.Layout != a.Layout && b.Stores == a.Stores {
				pairs = append(pairs, layoutPair{a, b})
			}
		}
	}
	return pairs
}

// layoutRows are the two layouts of a lock, which were measured under one workload.
type layoutRows struct {
	pair         layoutPair
	usual, other *rank.Row
	procs        int
}

// measuredIn returns the rows of a pair in a table. It returns false if a layout is missing,
// is not ranked, or has too few samples for an interval.
func (p layoutPair) measuredIn(t rank.Table) (layoutRows, bool) {
	r := layoutRows{pair: p, procs: t.Workload.Procs}
	for i := range t.Rows {
		row := &t.Rows[i]
		if !row.Ranked || math.IsInf(row.NS.Lo, 0) || math.IsInf(row.NS.Hi, 0) {
			continue
		}
		switch row.Algorithm {
		case p.usual.Name:
			r.usual = row
		case p.other.Name:
			r.other = row
		}
	}
	return r, r.usual != nil && r.other != nil
}

// faster returns the layout whose whole interval is below that of the other one, or false if
// the intervals overlap.
func (r layoutRows) faster() (shm.Algorithm, bool) {
	switch {
	case r.other.NS.Hi < r.usual.NS.Lo:
		return r.pair.other, true
	case r.usual.NS.Hi < r.other.NS.Lo:
		return r.pair.usual, true
	}
	return r.pair.usual, false
}

// times is the time of the slower layout as a multiple of that of the faster one.
func times(usual, other float64) float64 { return max(usual/other, other/usual) }

// isEmpty reports whether a table is of a closed loop without work.
func isEmpty(t rank.Table) bool { return t.Workload == bench.Workload{Procs: t.Workload.Procs} }
