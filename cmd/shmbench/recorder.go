package main

import (
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
	count    int // rounds
	begun    int // samples begun
	done     int // samples taken
	total    int
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
	return &recorder{stderr: stderr, progress: tty.NewProgress(stderr, total), count: s.Count, total: total}
}

func (r *recorder) Begin(c bench.Case, round int) {
	r.progress.At(r.begun, fmt.Sprintf("round %d of %d, %d processes, %s", round+1, r.count, c.Procs, c.Algorithm.Name))
	r.begun++
	r.done = r.begun - 1
}

func (r *recorder) Line(l bench.Line) error {
	r.lines = append(r.lines, l)
	if r.file == nil {
		return nil
	}
	return r.file.Write(l)
}

func (r *recorder) Failed(c bench.Case, err error) {
	r.progress.Clear()
	fmt.Fprintf(r.stderr, "%d processes: %v\n", c.Procs, err)
	var broken *bench.BrokenError
	r.violated = r.violated || errors.As(err, &broken)
}

// verdict is errViolated if a lock failed to exclude.
func (r *recorder) verdict() error {
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
func (r *recorder) writeJSON(w io.Writer, config []topo.Pair) error {
	out := struct {
		Config map[string]string `json:"config"`
		Lines  []bench.Line      `json:"lines"`
	}{map[string]string{}, r.lines}
	for _, c := range config {
		out.Config[c.Key] = c.Value
	}
	return writeJSON(w, "run", r.done == r.total, out)
}
