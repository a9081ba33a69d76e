package predict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Parameter is a parameter of a machine that is fitted to measurements.
type Parameter struct {
	Name     string
	Least    float64
	Most     float64
	get      func(m *Machine) float64
	set      func(m *Machine, x float64)
	Constant string // why it is not fitted, if it is not
}

// Value returns the parameter of a machine.
func (p Parameter) Value(m *Machine) float64 { return p.get(m) }

// MostFitted is the most parameters that are fitted for a machine.
const MostFitted = 8

// Parameters returns what can be fitted, apart from SiblingWork, which is measured by
// itself, to points of so many processes: nothing is known of distances that none has
// crossed, nor of reads that follow one another where nothing polls.
func (m *Machine) Parameters(processes int, polls bool) []Parameter {
	l, err := m.layout()
	if err != nil {
		return nil
	}
	field := func(name string, least, most float64, at func(m *Machine) *float64) Parameter {
		return Parameter{Name: name, Least: least, Most: most,
			get: func(m *Machine) float64 { return *at(m) }, set: func(m *Machine, x float64) { *at(m) = x }}
	}
	var all []Parameter
	if polls && processes > 2 { // one writes, and two read
		all = append(all, field("read_occupancy_ns", 0.5, 100, func(m *Machine) *float64 { return &m.ReadOccupancy }))
	}
	far, near := "", false
	for i := l.coreLevel(); i >= 0; i-- {
		name := l.levels[i].Name
		if !l.crosses(i, processes) {
			continue
		}
		all = append(all, Parameter{Name: "transfer_ns." + name, Least: 3, Most: 1000,
			get: func(m *Machine) float64 { return m.Transfer[name] },
			set: func(m *Machine, x float64) { m.Transfer[name] = x }})
		near = far != ""
		far = name
	}
	if polls && m.ReadsLocal != "" && near {
		all = append(all, field("far_read_occupancy_ns", 0.5, 100, func(m *Machine) *float64 { return &m.FarReadOccupancy }))
		all = append(all, field("invalidate_factor", 1, 100, func(m *Machine) *float64 { return &m.InvalidateFactor }))
	}
	if near && m.Policy == Nearest {
		all = append(all, field("oldest_chance", 0.02, 1, func(m *Machine) *float64 { return &m.OldestChance }))
	}
	return all[:min(len(all), MostFitted-1)]
}

// crosses reports whether two of the first processes are in different groups of a level,
// and in the same of those outside it.
func (l *layout) crosses(level, processes int) bool {
	first := map[string]int{}
	for _, thread := range l.order[:min(processes, len(l.order))] {
		path := l.places[thread].path
		outside := fmt.Sprint(path[:level])
		at, ok := first[outside]
		if ok && at != path[level] {
			return true
		}
		first[outside] = path[level]
	}
	return false
}

// clone returns a copy of a machine.
func (m *Machine) clone() *Machine {
	c := *m
	c.Transfer = map[string]float64{}
	for k, v := range m.Transfer {
		c.Transfer[k] = v
	}
	return &c
}

// Fit finds the values of parameters that minimize the sum of the squares of the residuals. It
// uses the simplex of Nelder and Mead (A simplex method for function minimization, The
// Computer Journal 7, 1965, pp. 308–313) on the logarithms of the parameters. It
// evaluates at most so many tries for each parameter, and as many more. It returns the machine
// and its residuals. If ctx ends, it returns the best machine so far.
func Fit(ctx context.Context, m *Machine, parameters []Parameter, residuals int, residual func(m *Machine, i int) (float64, error), tries int, tell func(done, of int, what string)) (*Machine, []float64, error) {
	n := len(parameters)
	evaluations := tries * (n + 1)
	var failed error
	at := func(x []float64) *Machine {
		c := m.clone()
		for i, p := range parameters {
			p.set(c, min(max(math.Exp(x[i]), p.Least), p.Most))
		}
		return c
	}
	all := func(m *Machine) ([]float64, error) {
		r := make([]float64, residuals)
		return r, Each(ctx, residuals, func(i int) (err error) {
			r[i], err = residual(m, i)
			return err
		})
	}
	done := 0
	best := math.Inf(1)
	cost := func(x []float64) float64 {
		sum := 0.0
		for i, p := range parameters { // a wall, so that the simplex turns back
			if over := max(math.Log(p.Least)-x[i], x[i]-math.Log(p.Most), 0); over > 0 {
				sum += over * over
			}
		}
		r, err := all(at(x))
		if err != nil {
			failed = err
			return math.Inf(1)
		}
		sum += square(RMS(r))
		done++
		best = min(best, sum)
		if tell != nil {
			tell(min(done, evaluations), evaluations, fmt.Sprintf("fitting: rms of the logarithms %.3f", math.Sqrt(best)))
		}
		return sum
	}
	start := make([]float64, n)
	for i, p := range parameters {
		start[i] = math.Log(min(max(p.get(m), p.Least), p.Most))
	}
	x := simplex(ctx, start, 0.3, cost, func() bool { return failed == nil && done < evaluations })
	if failed != nil {
		return nil, nil, failed
	}
	result := at(x)
	for _, p := range parameters {
		p.set(result, math.Round(p.get(result)*100)/100)
		result.Fitted = append(result.Fitted, p.Name)
	}
	// What no point has crossed is at least as far as what is inside it.
	if l, err := m.layout(); err == nil {
		inner := 0.0
		for i := l.coreLevel(); i >= 0; i-- {
			name := l.levels[i].Name
			if ns, ok := result.Transfer[name]; ok && !slices.Contains(result.Fitted, "transfer_ns."+name) {
				result.Transfer[name] = max(ns, inner)
			}
			inner = max(inner, result.Transfer[name])
		}
	}
	result.Assumed = slices.DeleteFunc(slices.Clone(m.Assumed), func(name string) bool {
		return slices.Contains(result.Fitted, name) || slices.ContainsFunc(result.Fitted, func(f string) bool { return strings.HasPrefix(f, name+".") })
	})
	r, err := all(result)
	return result, r, err
}

// RMS returns the root of the mean square.
func RMS(residuals []float64) float64 {
	sum := 0.0
	for _, r := range residuals {
		sum += square(r)
	}
	return math.Sqrt(sum / float64(max(len(residuals), 1)))
}

func square(x float64) float64 { return x * x }

// Each calls do with 0 to n-1, as many calls at a time as there are processors, until one
// returns an error.
func Each(ctx context.Context, n int, do func(i int) error) error {
	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	next := 0
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for next < n && failed == nil && ctx.Err() == nil {
				i := next
				next++
				mu.Unlock()
				err := do(i)
				mu.Lock()
				failed = cmp.Or(failed, err)
			}
		})
	}
	group.Wait()
	return cmp.Or(failed, ctx.Err())
}

// Thin returns a given number of the points, evenly spread.
func Thin[P any](points []P, n int) []P {
	if len(points) <= n {
		return points
	}
	kept := make([]P, n)
	for i := range kept {
		kept[i] = points[i*len(points)/n]
	}
	return kept
}
