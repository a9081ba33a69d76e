package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/bench/forks"
	"shmbench/internal/cli/tty"
	"shmbench/internal/cli/words"
	"shmbench/internal/machine/topo"
)

// recorder keeps what is measured: in the file at once, in memory for the end.
type recorder struct {
	stderr   io.Writer
	progress *tty.Progress
	file     *benchfile.Writer // nil if there is none
	lines    []bench.Line
	prefix   string         // before what progress says
	swept    bool           // progress names the workload
	now      bench.Suite    // that is being measured
	begun    int            // samples begun
	wanted   map[string]int // samples to take of the suites so far, by the case's name
	taken    map[string]int // samples, by the case's name
	violated bool
}

// newRecorder says what is not measured, and starts the progress line. At most so many
// suites are measured with each number of processes.
func newRecorder(stderr io.Writer, s bench.Suite, suites int, prefix string) *recorder {
	cases, not := s.Cases()
	names := skipped{}
	for _, c := range not {
		names[c.Procs] = append(names[c.Procs], c.Algorithm.Name)
	}
	names.say(stderr, s.Procs)
	progress := tty.NewProgress(stderr, len(cases)*s.Count*suites)
	progress.Expect(time.Duration(suites) * s.Windows())
	return &recorder{stderr: stderr, progress: progress, prefix: prefix, swept: suites > 1, wanted: map[string]int{}, taken: map[string]int{}}
}

// Start counts the samples of the suite among those that are to be taken.
func (r *recorder) Start(s bench.Suite) {
	r.now = s
	for name, n := range s.Samples() {
		r.wanted[name] += n
	}
}

func (r *recorder) Begin(c bench.Case, round int) {
	r.progress.At(r.begun, r.doing(c, round))
	r.begun++
}

// doing says what is being measured.
func (r *recorder) doing(c bench.Case, round int) string {
	return fmt.Sprintf("%s%sround %d of %d, %s, %s", r.prefix, r.step(), round+1, r.now.Count, words.Counted(c.Procs, "process", "processes"), c.Algorithm.Name)
}

// step says which step of a sweep is being measured, "cs 100ns, ncs 0s, ".
func (r *recorder) step() string {
	switch w := r.now.Workload; {
	case !r.swept:
		return ""
	case w.Rate > 0:
		return fmt.Sprintf("%g arrivals a second, ", w.Rate)
	default:
		return fmt.Sprintf("cs %v, ncs %v, ", w.CS, w.NCS)
	}
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
	fmt.Fprintf(r.stderr, "%s%s: %v\n", r.step(), words.Counted(c.Procs, "process", "processes"), err)
	r.violated = r.violated || errors.As(err, new(*bench.BrokenError)) || errors.As(err, new(*bench.StuckError)) || errors.As(err, new(*forks.PanicError))
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

// missing says what is missing of what was to be measured; empty: nothing.
func (r *recorder) missing(ctx context.Context) string {
	taken, total := sum(r.taken), sum(r.wanted)
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("interrupted after %d of %d samples", taken, total)
	case taken < total:
		return fmt.Sprintf("%d of %d samples were taken", taken, total)
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

// verdict is errViolated if a lock failed to exclude, hangs or panics, and else says so if
// a sample is missing.
func (r *recorder) verdict(ctx context.Context) error {
	missing := r.missing(ctx)
	switch {
	case r.violated:
		if missing != "" {
			fmt.Fprintln(r.stderr, missing)
		}
		return errViolated
	case missing != "":
		return cutShort("%s", missing)
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

// writeJSON writes {"answers": [...], "config": {...}, "lines": [...]}.
func (r *recorder) writeJSON(ctx context.Context, w io.Writer, config []topo.Pair, answers []string) error {
	out := struct {
		Answers []string          `json:"answers,omitempty"`
		Config  map[string]string `json:"config"`
		Lines   []bench.Line      `json:"lines"`
	}{answers, map[string]string{}, r.lines}
	for _, c := range config {
		out.Config[c.Key] = c.Value
	}
	return writeJSON(w, "run", r.missing(ctx) == "", out)
}
