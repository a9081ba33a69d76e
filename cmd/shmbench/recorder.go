package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/benchfile"
	"shmbench/internal/topo"
	"shmbench/internal/tty"
)

// recorder keeps what a suite measures: in the file at once, in memory for the
// end.
type recorder struct {
	stderr   io.Writer
	progress *tty.Progress
	file     *benchfile.Writer // nil if there is none
	lines    []bench.Line
	prefix   string         // before what progress says
	count    int            // rounds
	total    int            // samples to take
	begun    int            // samples begun
	cases    int            // what is measured: locks with numbers of processes
	taken    map[string]int // samples, by the case's name
	violated bool
}

// newRecorder says what is not measured, and starts the progress line.
func newRecorder(stderr io.Writer, s bench.Suite) *recorder {
	cases, skipped := s.Cases()
	names := map[int][]string{}
	for _, c := range skipped {
		names[c.Procs] = append(names[c.Procs], c.Algorithm.Name)
	}
	for _, n := range s.Procs {
		if names[n] != nil {
			fmt.Fprintf(stderr, "not for %d processes, and skipped there: %s\n", n, strings.Join(names[n], ", "))
		}
	}
	total := len(cases) * s.Count
	return &recorder{stderr: stderr, progress: tty.NewProgress(stderr, total), count: s.Count, total: total, cases: len(cases), taken: map[string]int{}}
}

func (r *recorder) Begin(c bench.Case, round int) {
	r.progress.At(r.begun, r.prefix+fmt.Sprintf("round %d of %d, procs=%d, %s", round+1, r.count, c.Procs, c.Algorithm.Name))
	r.begun++
}

// sweeping makes ready for so many steps; next returns each of them.
func (r *recorder) sweeping(steps int) {
	r.progress = tty.NewProgress(r.stderr, r.total*steps)
	r.total, r.cases = 0, 0
}

// next says what comes next in a sweep.
func (r *recorder) next(s bench.Suite) {
	cases, _ := s.Cases()
	r.total += len(cases) * s.Count
	r.cases += len(cases)
	r.prefix = fmt.Sprintf("cs %v, ncs %v, ", s.Workload.CS, s.Workload.NCS)
	if s.Workload.Rate > 0 {
		r.prefix = fmt.Sprintf("%g arrivals a second, ", s.Workload.Rate)
	}
}

// rated returns the samples of a lock under a load.
func (r *recorder) rated(algorithm string, w bench.Workload) (samples []*benchfmt.Result) {
	name := w.Name(algorithm)
	for _, l := range r.lines {
		if l.Name == name {
			samples = append(samples, l.Result())
		}
	}
	return samples
}

// restart begins anew, for another rerun.
func (r *recorder) restart(prefix string) {
	r.prefix, r.lines, r.begun, r.taken = prefix, nil, 0, map[string]int{}
}

func (r *recorder) Line(l bench.Line) error {
	r.lines = append(r.lines, l)
	if algorithm, _, ok := bench.ParseName(l.Result().Name); ok && !bench.IsNull(algorithm) {
		r.taken[l.Name]++
	}
	if r.file == nil {
		return nil
	}
	return r.file.Write(l)
}

func (r *recorder) Failed(c bench.Case, err error) {
	r.progress.Clear()
	fmt.Fprintf(r.stderr, "%d processes: %v\n", c.Procs, err)
	r.violated = r.violated || errors.As(err, new(*bench.BrokenError)) || errors.As(err, new(*bench.StuckError))
}

// missing says what is missing of what was to be measured; empty: nothing.
func (r *recorder) missing(ctx context.Context) string {
	taken := 0
	for _, n := range r.taken {
		taken += n
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("interrupted after %d of %d samples", taken, r.total)
	case taken < r.total:
		return fmt.Sprintf("%d of %d samples", taken, r.total)
	}
	return ""
}

// end completes the file, whatever ended the measurement.
func (r *recorder) end(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = nil // which verdict says
	}
	how := r.missing(ctx)
	if how == "" && err != nil {
		how = err.Error()
	}
	if r.file != nil {
		err = first(err, r.file.End(how))
	}
	if err != nil && r.violated { // which is graver, and may be the reason
		fmt.Fprintln(r.stderr, err)
		err = nil
	}
	return err
}

// verdict is errViolated if a lock failed to exclude or hangs, and else says so if
// something was not measured at all.
func (r *recorder) verdict(ctx context.Context) error {
	missing := r.missing(ctx)
	if !r.violated && (ctx.Err() != nil || len(r.taken) < r.cases) {
		return cutShort("%s", missing)
	}
	if missing != "" {
		fmt.Fprintln(r.stderr, missing)
	}
	if r.violated {
		return errViolated
	}
	return nil
}

func (r *recorder) results() []*benchfmt.Result {
	results := make([]*benchfmt.Result, len(r.lines))
	for i, l := range r.lines {
		results[i] = l.Result()
	}
	return results
}

// writeJSON writes {"config": {...}, "lines": [...]}.
func (r *recorder) writeJSON(ctx context.Context, w io.Writer, config []topo.Pair) error {
	out := struct {
		Config map[string]string `json:"config"`
		Lines  []bench.Line      `json:"lines"`
	}{map[string]string{}, r.lines}
	for _, c := range config {
		out.Config[c.Key] = c.Value
	}
	return writeJSON(w, "run", r.missing(ctx) == "", out)
}
