package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/kvlock"
)

// print prints what was measured beside what is predicted and what a lease does,
// and all in the format of Go benchmarks.
func (r *runFlags) print(w io.Writer, result, lease *harness.Result) error {
	o := &r.o
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "algorithm\t%s\n", o.Algorithm.Title)
	fmt.Fprintf(t, "system\t%d nodes of %d threads, each node a process, over %s\n", o.System.Nodes, o.System.Threads, r.over)
	fmt.Fprintf(t, "load\t%v; inside %v\n", o.Load.Sim(), o.Section)
	fmt.Fprintf(t, "delays\tmeasured, in the mean: %v of a message", result.Delay)
	for _, kind := range slices.Sorted(maps.Keys(result.Delays)) {
		fmt.Fprintf(t, ", %v of %v", result.Delays[kind], kind)
	}
	fmt.Fprintln(t)
	columns := []*harness.Figures{&result.Measured}
	by := []string{"processes"}
	head := "\n\tprocesses"
	if result.Predicted != nil {
		columns, by, head = append(columns, result.Predicted), append(by, "simulator"), head+"\tsimulator, with these delays"
	}
	if lease != nil {
		columns, by, head = append(columns, &lease.Measured), append(by, kvlock.Card.Name), head+"\ta lease on JetStream's key-value store"
	}
	fmt.Fprintln(t, head)
	row := func(what, form string, of func(f *harness.Figures) any) {
		fmt.Fprint(t, what)
		for _, f := range columns {
			fmt.Fprintf(t, "\t"+form, of(f))
		}
		fmt.Fprintln(t)
	}
	seconds := func(x float64) time.Duration { return time.Duration(x * 1e9).Round(100 * time.Nanosecond) }
	row("messages an entry", "%.4g", func(f *harness.Figures) any { return f.Messages })
	row("waiting time, mean", "%v", func(f *harness.Figures) any { return seconds(f.Wait) })
	row("waiting time, median", "%v", func(f *harness.Figures) any { return seconds(f.Median) })
	row("  thread to node and back", "%v", func(f *harness.Figures) any { return seconds(f.Local) })
	if !o.Load.One() {
		row("synchronization delay", "%v", func(f *harness.Figures) any { return seconds(float64(f.Sync)) })
		row("throughput, entries/s", "%.4g", func(f *harness.Figures) any { return f.Throughput })
	}
	row("fairness (Jain's index)", "%.4f", func(f *harness.Figures) any { return f.Jain })
	fmt.Fprintln(t)
	fmt.Fprintf(t, "verdict\t%d entries of %d processes: %s\n", result.History.Entries, len(result.PIDs), inWords(result.History))
	fmt.Fprintf(t, "resource\t%d writes taken, %d lost, %d refused; the last token %v\n", result.Resource.Taken, result.Lost, result.Refused, result.Resource.High)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, unit := range []string{"messages/op", "wait-ns", "median-wait-ns", "sync-ns"} {
		fmt.Fprintf(w, "Unit %s better=lower\n", unit)
	}
	fmt.Fprintln(w, "Unit jain better=higher")
	for k, f := range columns {
		if err := r.line(w, by[k], f); err != nil {
			return err
		}
	}
	return nil
}

// line prints figures as a result of a Go benchmark.
func (r *runFlags) line(w io.Writer, by string, f *harness.Figures) error {
	values := []string{fmt.Sprintf("%.4f messages/op", f.Messages), fmt.Sprintf("%.1f wait-ns", 1e9*f.Wait), fmt.Sprintf("%.1f median-wait-ns", 1e9*f.Median)}
	if !r.o.Load.One() { // where time between entries means nothing
		values = append([]string{fmt.Sprintf("%.1f ns/op", 1e9/f.Throughput)}, values...)
		if sync := float64(f.Sync); !math.IsNaN(sync) {
			values = append(values, fmt.Sprintf("%.1f sync-ns", 1e9*sync))
		}
	}
	_, err := fmt.Fprintf(w, "BenchmarkDme/alg=%s/nodes=%d/threads=%d/rate=%v/cs=%v/over=%s/by=%s %d %s %.4f jain\n",
		r.o.Algorithm.Name, r.o.System.Nodes, r.o.System.Threads, r.o.Load, r.o.Section, r.over, by, f.Entries, strings.Join(values, " "), f.Jain)
	return err
}
