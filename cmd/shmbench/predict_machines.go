package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"

	"shmbench/bench"
	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/topo"
	"shmbench/predict"
)

var predictMachinesVerb = verb{
	Name:    "predict machines",
	Summary: "list the modeled machines that predict knows",
	Example: "shmbench predict machines",
	Setup: func(*flag.FlagSet) body {
		return func(_ context.Context, e env, _ []string) error { return listMachines(e) }
	},
}

var predictMeasureVerb = verb{
	Name:    "predict measure",
	Summary: "measure the machine at hand, and print its model",
	Example: "shmbench predict measure >here.json",
	Setup: func(*flag.FlagSet) body {
		return func(ctx context.Context, e env, _ []string) error {
			m, err := measured(ctx)
			if err != nil {
				return err
			}
			return writeMachine(e, m, nil)
		}
	},
}

// listMachines prints the presets.
func listMachines(e env) error {
	all, err := predict.Presets()
	if err != nil {
		return err
	}
	for _, m := range all {
		if _, err := fmt.Fprintf(e.Stdout, "%s: %d processors, %s\n    transfers: %s\n    %s\n", m.Name, m.Processors(), m.Topology, m.Source, about(m)); err != nil {
			return err
		}
	}
	return nil
}

// about says of a machine what a reader of its figures must know.
func about(m *predict.Machine) string {
	said := []string{"a model of " + m.Name + " (" + m.Topology + "), not a measurement"}
	if m.Fit != "" {
		said = append(said, "fitted: "+m.Fit)
	} else {
		said = append(said, "not fitted to measurements")
	}
	if len(m.Assumed) > 0 {
		said = append(said, "assumed: "+strings.Join(m.Assumed, ", "))
	}
	return strings.Join(said, "; ")
}

// writeMachine prints a machine, and what is known of it on standard error.
func writeMachine(e env, m *predict.Machine, residuals []predict.Residual) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if err := m.Write(e.Stdout); err != nil {
		return err
	}
	fmt.Fprintf(e.Stderr, "a model of %s: %s\n", m.Name, cmp.Or(m.Fit, "not fitted to measurements"))
	if err := m.WriteParameters(e.Stderr); err != nil || residuals == nil {
		return err
	}
	return predict.WriteResiduals(e.Stderr, residuals)
}

// machineCosts returns the costs that a model takes from those that bench measures, by operation.
func machineCosts(costs map[string]float64) predict.Costs {
	return predict.Costs{RMW: costs["swap-uint32"], Load: costs["load-uint32"], Release: costs["release-uint32"], Pause: costs["spin-pause"],
		Independent: costs[bench.MixedIndependent], Dependent: costs[bench.MixedDependent], Answer: costs[bench.Transfer]}
}

// measured makes a machine of the one at hand, from bench's own measurements.
func measured(ctx context.Context) (*predict.Machine, error) {
	places, err := affinity.Places(affinity.ByThread)
	if err != nil || len(places) == 0 {
		places = make([]affinity.Place, runtime.NumCPU())
		for i := range places {
			places[i] = affinity.Place{CPU: i, Core: i}
		}
	}
	m, err := predict.New("here", levelsOf(places), predict.CoresFirst, "")
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for _, c := range bench.Machine(ctx) {
		costs[c.Op] = c.NS
	}
	if ctx.Err() != nil {
		return nil, interrupted(ctx, "the machine was not measured")
	}
	m.Measured(machineCosts(costs))
	for _, pair := range topo.Describe() {
		if pair.Key == "cpu" {
			m.Source = "shmbench predict measure on " + pair.Value
		}
	}
	return m, nil
}

// levelsOf returns the topology of processors, by thread; where packages or cores
// differ in size, all that is said is how many processors there are.
func levelsOf(places []affinity.Place) string {
	packages, cores := map[int]int{}, map[[2]int]int{}
	for _, p := range places {
		packages[p.Package]++
		cores[[2]int{p.Package, p.Core}]++
	}
	each := len(places) / len(packages)
	threads := len(places) / len(cores)
	for _, n := range packages {
		if n != each {
			threads = 0
		}
	}
	for _, n := range cores {
		if n != threads {
			threads = 0
		}
	}
	if threads == 0 {
		return fmt.Sprintf("cores=%d", len(places))
	}
	return fmt.Sprintf("sockets=%d,cores=%d,threads=%d", len(packages), each/threads, threads)
}
