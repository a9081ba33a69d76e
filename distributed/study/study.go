package study

import (
	"context"
	"slices"
)

// OtherNodes are the numbers of nodes at which the claims are tested besides the plan's own:
// complete trees around the paper's 31.
var OtherNodes = []int{7, 15, 63}

// A Report is the whole study.
type Report struct {
	Points   []Point   // of the plan
	Findings []Finding // about the claims
}

// Study runs the plan and tests the claims. It does so under the plan's reading
// and number of nodes, with other numbers of nodes, and under each other reading;
// the latter two with a fifth of the entries. Readings that change no run are
// judged on the plan's own. With claims false it runs the plan alone. When ctx is
// canceled it returns the plan's complete points and no findings, with the error.
func Study(ctx context.Context, p Plan, claims bool, progress func(done, of int)) (Report, error) {
	if err := p.Check(); err != nil {
		return Report{}, err
	}
	plans := []Plan{p}
	if claims {
		plans = append(plans, others(p)...)
	}
	runs := 0
	for i := range plans {
		runs += len(plans[i].cells()) * plans[i].Replications
	}
	before := 0
	results := make([][]Point, len(plans))
	for i := range plans {
		if len(plans[i].Nodes) == 0 {
			continue // the tree is of the plan's own nodes
		}
		var err error
		planned := len(plans[i].cells()) * plans[i].Replications
		made, more := 0, 0 // runs, those made again with a longer warm-up included
		results[i], err = plans[i].Run(ctx, func(done, of int) {
			made, more = done, of-planned
			if progress != nil {
				progress(before+done, runs+more)
			}
		})
		if err != nil {
			return Report{Points: results[0]}, err
		}
		before += made
		runs += more
	}
	r := Report{Points: results[0]}
	if claims {
		own := append(results[0][:len(results[0]):len(results[0])], results[1]...)
		grids := results[2:]
		for _, reading := range Readings {
			if reading.vary == nil && reading.Name != p.Reading.Name {
				grids = append(grids, reread(results[0], p.Reading, reading))
			}
		}
		r.Findings = Judge(own, grids...)
	}
	return r, nil
}

// others returns the plan of other numbers of nodes, and one for each other
// reading.
func others(p Plan) []Plan {
	p.Entries = max(p.Entries/5, p.Replications)
	nodes := p
	nodes.Nodes = nil
	for _, n := range OtherNodes {
		if n == p.Nodes[0] {
			continue
		}
		if _, err := p.treeOf(n); err == nil { // else it is one of another size
			nodes.Nodes = append(nodes.Nodes, n)
		}
	}
	plans := []Plan{nodes}
	p.Nodes = p.Nodes[:1]
	for _, r := range append([]Reading{{}}, Readings...) {
		if r.Name != p.Reading.Name && (r.vary != nil || r.Name == "") {
			p.Reading = r
			plans = append(plans, p)
		}
	}
	return plans
}

// reread returns points made under one reading as another has them that only
// adds to the waits.
func reread(points []Point, from, to Reading) []Point {
	again := slices.Clone(points)
	for i := range again {
		p := &again[i]
		p.Reading = to.Name
		p.waits = slices.Clone(p.waits)
		for k := range p.waits {
			p.waits[k] += p.more(to) - p.more(from)
		}
	}
	return again
}
