package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/internal/cli/tty"
	"shmbench/internal/run/isolate"
	"shmbench/predict"
	"shmbench/predict/compiled"
)

// prediction is what a call of the verb works out.
type prediction struct {
	machine *predict.Machine
	explain bool
	points  []*point
	file    *benchfile.Writer // nil if there is none
	// violated says that a lock let two in, or stopped.
	violated bool
}

// point is one lock with one number of processes.
type point struct {
	trial  compiled.Trial
	result *compiled.Result // nil if there is none, yet
}

// load is the workload as run names it.
func (x *point) load() bench.Workload {
	w := x.trial.Workload
	return bench.Workload{Procs: w.Procs, CS: w.CS, NCS: w.NCS, Lines: w.Lines, Rate: w.Rate}
}

// line is the line of the point in a file of results.
func (x *point) line() bench.Line {
	l := bench.Line{Name: x.load().Name(x.trial.Lock), Iterations: x.result.Passages}
	for _, v := range x.result.Values {
		l.Values = append(l.Values, bench.Value{Value: v.Value, Unit: v.Unit})
	}
	return l
}

// run works out the points, as many at a time as there are processors here.
func (p *prediction) run(ctx context.Context, e env, program string) error {
	progress := tty.NewProgress(e.Stderr, len(p.points))
	defer progress.Clear()
	var mu sync.Mutex
	done := 0
	err := predict.Each(ctx, len(p.points), func(i int) error {
		x := p.points[i]
		mu.Lock()
		progress.At(done, fmt.Sprintf("%d processes, %s", x.trial.Workload.Procs, x.trial.Lock))
		mu.Unlock()
		r, err := isolate.Ask[compiled.Trial, *compiled.Result](ctx, program, compiled.Service, x.trial)
		mu.Lock()
		defer mu.Unlock()
		done++
		switch {
		case ctx.Err() != nil:
		case err != nil:
			progress.Clear()
			fmt.Fprintln(e.Stderr, crashed(x, err))
		case r.Violated != "":
			p.violated = true
			progress.Clear()
			fmt.Fprintf(e.Stderr, "%s with %d processes: %s\n", x.trial.Lock, x.trial.Workload.Procs, r.Violated)
		default:
			x.result = r
			if p.file != nil {
				return p.file.Write(x.line())
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil // missing says so
	}
	return err
}

// crashed is the line that says why there is no point.
func crashed(x *point, err error) string {
	says := err.Error()
	if crash := new(isolate.Crash); errors.As(err, &crash) && crash.Stderr != "" {
		says = crash.Stderr
	}
	line, _, _ := strings.Cut(strings.TrimSpace(says), "\n")
	if strings.Contains(line, "deadlock") {
		line = "it blocks in something other than its atomic accesses, such as a channel or a mutex, which is out of the model"
	}
	if strings.HasPrefix(line, x.trial.Lock) {
		return line
	}
	return fmt.Sprintf("%s with %d processes: %s", x.trial.Lock, x.trial.Workload.Procs, line)
}

// missing says what is missing of what was asked for; empty: nothing.
func (p *prediction) missing() string {
	if p.done() == len(p.points) {
		return ""
	}
	return fmt.Sprintf("%d of %d points were worked out", p.done(), len(p.points))
}

// done is how many points there are results of.
func (p *prediction) done() (n int) {
	for _, x := range p.points {
		if x.result != nil {
			n++
		}
	}
	return n
}
