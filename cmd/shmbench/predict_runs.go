package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/catalog"
	"shmbench/internal/results/stat"
	"shmbench/internal/run/isolate"
	"shmbench/predict"
	"shmbench/predict/compiled"
)

// runPoint is what "shmbench run" measured of a lock and a workload, in ns a passage.
type runPoint struct {
	lock string
	load bench.Workload
	ns   float64
}

// isRun reports whether a file has results of "shmbench run", and not a table of points.
func isRun(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	text, err := benchfile.Text(io.LimitReader(file, 1<<16))
	if err != nil {
		return false, err
	}
	begin, err := io.ReadAll(text)
	return bytes.HasPrefix(begin, []byte("Unit ")) || bytes.Contains(begin, []byte("\nBenchmark")), err
}

// runPoints returns what a file of results has: the points that a machine of so many processors
// can be fitted to, and what operations cost.
func runPoints(file *benchfile.File, processors int) ([]runPoint, predict.Costs, error) {
	if varied := benchfile.Varied(file.Results); varied != nil {
		return nil, predict.Costs{}, fmt.Errorf("the results have several values of %s: a machine is fitted to results of one configuration", strings.Join(varied, " and of "))
	}
	modeled := map[string]bool{}
	for _, a := range catalog.All() {
		modeled[a.Name] = !a.Class.Sleeps() && !bench.IsNull(a.Name)
	}
	type key struct {
		lock string
		load bench.Workload
	}
	samples := map[key][]float64{}
	var order []key
	costs := map[string]float64{}
	for _, r := range file.Results {
		if r.GetConfig("model") != "" {
			return nil, predict.Costs{}, errors.New("these are figures of a model, and no measurements")
		}
		sec, ok := r.Value("sec/op") // ns/op, as it is read
		ns := sec * 1e9
		if op, is := bench.ParseCost(r.Name); ok && is {
			costs[op] = ns
		}
		lock, load, is := bench.ParseName(r.Name)
		k := key{lock, load}
		if !ok || !is || !modeled[lock] || load.Procs < 2 || load.Procs > processors || load.Rate > 0 || load.Readers > 0 || load.Execute || load.Kills > 0 || load.Touch { // the critical section of the model checks
			continue
		}
		if samples[k] == nil {
			order = append(order, k)
		}
		samples[k] = append(samples[k], ns)
	}
	var points []runPoint
	for _, k := range order {
		points = append(points, runPoint{k.lock, k.load, stat.Summary(samples[k]).Center})
	}
	own := machineCosts(costs)
	own.Answer = 0 // the transfers are fitted
	return points, own, nil
}

// fewestRun and mostRun are how many points of a run a machine is fitted to, and triesRun how
// many evaluations the fit makes for each parameter.
const fewestRun, mostRun, triesRun = 4, 24, 30

// fitRun fits a machine to a file of results. The locks run in the model as compiled.
func fitRun(ctx context.Context, m *predict.Machine, file *benchfile.File, tell func(done, of int, what string)) (*predict.Machine, []predict.Residual, error) {
	points, costs, err := runPoints(file, m.Processors())
	if err != nil {
		return nil, nil, err
	}
	if len(points) < fewestRun {
		return nil, nil, fmt.Errorf("there are %d points of locks that the model can run, with 2 to %d processes, without an arrival rate and without readers; a fit takes %d", len(points), m.Processors(), fewestRun)
	}
	slices.SortStableFunc(points, func(a, b runPoint) int {
		return cmp.Or(strings.Compare(a.lock, b.lock), cmp.Compare(a.load.CS, b.load.CS), cmp.Compare(a.load.NCS, b.load.NCS))
	})
	points = predict.Thin(points, mostRun)
	m.Measured(costs)
	program, remove, err := lockProgram(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	residual := func(m *predict.Machine, i int) (float64, error) {
		p := points[i]
		r, err := isolate.Ask[compiled.Trial, *compiled.Result](ctx, program, compiled.Service, compiled.Trial{Lock: p.lock, Machine: m,
			Workload: compiled.Workload{Procs: p.load.Procs, CS: p.load.CS, NCS: p.load.NCS, Lines: p.load.Lines},
			Options:  compiled.Options{Accesses: 30_000, Seed: 1}})
		if err != nil {
			return 0, fmt.Errorf("%s with %d processes: %w", p.lock, p.load.Procs, err)
		}
		ns, ok := r.Get("ns/op")
		if !ok {
			return 0, fmt.Errorf("%s with %d processes: %s", p.lock, p.load.Procs, r.Violated)
		}
		return math.Log(ns / p.ns), nil
	}
	most := 0
	for _, p := range points {
		most = max(most, p.load.Procs)
	}
	parameters := m.Parameters(most, true)
	fitted, logs, err := predict.Fit(ctx, m, parameters, len(points), residual, triesRun, tell)
	if err != nil {
		return nil, nil, err
	}
	fitted.Fit = fmt.Sprintf("fitted to %d points of shmbench run (2 to %d processes): root mean square of ln(model/measured) %.3f", len(points), most, predict.RMS(logs))
	var residuals []predict.Residual
	for i, p := range points {
		load := p.load
		load.Procs = 0
		residuals = append(residuals, predict.Residual{Curve: strings.Replace(p.lock+" "+load.String(), "procs=0 ", "", 1), Processes: p.load.Procs, Log: logs[i]})
	}
	return fitted, residuals, nil
}
