// Package study redoes the performance study of Meza, Pérez and Eterovic
// (Implementing Distributed Mutual Exclusion on Multithreaded Environments: The
// Alien-Threads Approach, section 4): it simulates their experiments, with
// intervals from independent replications, draws their figures and tests what
// their text claims.
package study

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/sim"
)

// A Plan is a grid of experiments: every algorithm, number of nodes, number of
// threads and rate, each in several independent replications.
type Plan struct {
	Algorithms []*distributed.Algorithm
	Nodes      []int     // N, in a complete binary tree
	Threads    []int     // m, threads a node
	Rates      []float64 // λ, requests a second and node
	Reading    Reading

	// The paper keeps Section, Delay and Tree fixed.
	Section sim.Distribution // time inside
	Delay   sim.Distribution // a message's
	Tree    string           // as distributed.ParseTree reads it; empty: complete and binary

	Entries      int // a point, all replications together
	Warmup       int // entries before measuring, in each replication; more where these are too few
	Replications int
	Seed         uint64
}

// Names are the algorithms of the study, in the order in which it shows them.
var Names = []string{"alien-v1", "alien-v1-pb", "alien-v2", "alien-v2-pb", "mueller", "raymond", "naimi-trehel"}

// Paper returns the paper's experiments with the rates taken further. Its unit
// of time is taken for a second.
func Paper() Plan {
	p := Plan{
		Nodes:   []int{31},
		Threads: []int{1, 5, 10},
		Section: sim.Fixed(10 * time.Millisecond),     // C
		Delay:   sim.Uniform(0, 100*time.Millisecond), // M times uniform(0,1)
		Rates:   []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.5, 2, 3, 5, 10},
		Entries: 100_000, Warmup: 1000, Replications: 10, Seed: 1,
	}
	for _, name := range Names {
		a, err := catalog.Find(name)
		if err != nil {
			panic(err) // Names are of the catalog
		}
		p.Algorithms = append(p.Algorithms, a)
	}
	return p
}

// Check reports in one plain line what is wrong with p.
func (p *Plan) Check() error {
	switch {
	case p.Replications < 2:
		return fmt.Errorf("%d replications: an interval wants at least 2", p.Replications)
	case p.Entries < p.Replications:
		return fmt.Errorf("%d entries in %d replications: want at least 1 in each", p.Entries, p.Replications)
	case len(p.Algorithms) == 0 || len(p.Nodes) == 0 || len(p.Threads) == 0 || len(p.Rates) == 0:
		return fmt.Errorf("nothing to study: want an algorithm, a number of nodes and of threads, and a rate")
	}
	for _, c := range p.cells() {
		o, err := p.options(c, p.Warmup)
		if err != nil {
			return err
		}
		if err := o.Check(); err != nil {
			return err
		}
	}
	return nil
}

// cell is one place of the grid.
type cell struct {
	algorithm string
	nodes     int
	threads   int
	rate      float64
}

// cells returns the grid's places in the order of the output.
func (p *Plan) cells() []cell {
	var cells []cell
	for _, n := range p.Nodes {
		for _, m := range p.Threads {
			for _, a := range p.Algorithms {
				for _, rate := range p.Rates {
					cells = append(cells, cell{a.Name, n, m, rate})
				}
			}
		}
	}
	return cells
}

func (p *Plan) algorithm(name string) *distributed.Algorithm {
	for _, a := range p.Algorithms {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// options returns the run of place c under p's reading, without the seed.
func (p *Plan) options(c cell, warmup int) (sim.Options, error) {
	o := sim.Options{
		Algorithm: p.algorithm(c.algorithm),
		System:    distributed.Config{Nodes: c.nodes, Threads: c.threads},
		Load:      sim.Poisson(c.rate),
		Section:   p.Section,
		Delay:     p.Delay,
		Warmup:    warmup,
		Series:    true,
		Entries:   (p.Entries + p.Replications - 1) / p.Replications,
		Seed:      p.Seed,
	}
	if p.Reading.vary != nil {
		p.Reading.vary(&o)
	}
	var err error
	if o.Algorithm.Tree {
		o.System.Parent, err = p.treeOf(c.nodes)
	}
	return o, err
}

// treeOf returns the tree of n nodes, nil for the complete binary one.
func (p *Plan) treeOf(n int) ([]distributed.ID, error) {
	if p.Tree == "" {
		return nil, nil
	}
	return distributed.ParseTree(p.Tree, n)
}

// Full reports whether p has all algorithms that the claims are about.
func (p *Plan) Full() bool {
	return !slices.ContainsFunc(Names, func(name string) bool { return p.algorithm(name) == nil })
}

// Run makes the experiments on all processors and returns the points in the
// grid's order. It calls progress, from one goroutine at a time, after each
// run with the number of runs done. When ctx is canceled it returns the points
// that are complete, with the error.
func (p *Plan) Run(ctx context.Context, progress func(done, of int)) ([]Point, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	cells := p.cells()
	points := make([]Point, len(cells))
	for i, c := range cells {
		points[i] = newPoint(c, p)
	}
	runs := len(cells) * p.Replications
	done := &counter{of: runs, tell: progress}
	err := sim.Each(ctx, len(points), func(i int) error {
		o, err := p.options(cells[i], p.Warmup)
		if err != nil {
			return err
		}
		return points[i].measure(ctx, o, done)
	})
	var complete []Point
	for i := range points {
		if points[i].finish(p.Reading) {
			complete = append(complete, points[i])
		}
	}
	return complete, err
}
