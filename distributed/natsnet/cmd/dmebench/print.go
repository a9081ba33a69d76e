package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"time"

	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/sim"
	"shmbench/internal/cli/table"
	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
)

// print prints the measurements beside the predictions and the effect of a lease, and
// then all of them in the format of Go benchmarks.
func (r *runFlags) print(w io.Writer, result, lease *harness.Result) error {
	o := &r.o
	t := table.New(w)
	fmt.Fprintf(t, "algorithm\t%s\n", o.Algorithm.Title)
	fmt.Fprintf(t, "system\t%d nodes of %d threads, each node a process, over %s\n", o.System.Nodes, o.System.Threads, r.over)
	fmt.Fprintf(t, "load\t%v; critical section %v\n", o.Load.Sim(), o.Section)
	if result.Measured.Entries > 0 {
		r.figures(t, result, lease)
	}
	fmt.Fprintf(t, "verdict\t%d entries of %d processes: %s\n", result.History.Entries, len(result.PIDs), inWords(result.History))
	fmt.Fprintf(t, "resource\t%d writes taken, %d lost, %d refused; the last token %v\n", result.Resource.Taken, result.Lost, result.Refused, result.Resource.High)
	for _, n := range result.Nodes {
		if n == nil {
			continue
		}
		if text := dropped(n); text != "" {
			fmt.Fprintf(t, "not taken\tby node %d: %s\n", n.Node, text)
		}
	}
	if err := t.Flush(); err != nil || result.Measured.Entries == 0 {
		return err
	}
	columns, by := compared(result, lease)
	return r.lines(w, by, columns)
}

// compared returns the figures to print side by side, and the names of their
// sources.
func compared(result, lease *harness.Result) (columns []*harness.Figures, by []string) {
	columns, by = []*harness.Figures{&result.Measured}, []string{"processes"}
	if result.Predicted != nil {
		columns, by = append(columns, result.Predicted), append(by, "simulator")
	}
	if lease != nil {
		columns, by = append(columns, &lease.Measured), append(by, node.KVLock.Name)
	}
	return columns, by
}

// headings are the columns of the table.
var headings = map[string]string{
	"processes": "processes", "simulator": "simulator, with these delays", node.KVLock.Name: "a lease on JetStream's key-value store",
}

// figures prints the table.
func (r *runFlags) figures(t io.Writer, result, lease *harness.Result) {
	if result.Delay > 0 {
		fmt.Fprintf(t, "delays\tmeasured, in the mean: %v of a message", result.Delay)
		for _, kind := range slices.Sorted(maps.Keys(result.Delays)) {
			fmt.Fprintf(t, ", %v of %v", result.Delays[kind], kind)
		}
		fmt.Fprintln(t)
	}
	columns, by := compared(result, lease)
	fmt.Fprintln(t)
	for _, name := range by {
		fmt.Fprintf(t, "\t%s", headings[name])
	}
	fmt.Fprintln(t)
	row := func(what, form string, of func(f *harness.Figures) any) {
		fmt.Fprint(t, what)
		for _, f := range columns {
			fmt.Fprintf(t, "\t"+form, of(f))
		}
		fmt.Fprintln(t)
	}
	seconds := func(x float64) time.Duration { return time.Duration(x * 1e9).Round(100 * time.Nanosecond) }
	row("messages an entry", "%s", func(f *harness.Figures) any { return number(f.Messages) })
	row("waiting time, mean", "%v", func(f *harness.Figures) any { return seconds(f.Wait) })
	row("waiting time, median", "%v", func(f *harness.Figures) any { return seconds(f.Median) })
	row("  thread to node and back", "%v", func(f *harness.Figures) any { return seconds(f.Local) })
	if !r.o.Load.One() {
		row("synchronization delay", "%v", func(f *harness.Figures) any { return seconds(float64(f.Sync)) })
		row("throughput, entries/s", "%.4g", func(f *harness.Figures) any { return f.Throughput })
	}
	row("fairness (Jain's index)", "%.4f", func(f *harness.Figures) any { return f.Jain })
	fmt.Fprintln(t)
}

// number returns a figure in the form of the table.
func number(x sim.Number) string {
	if math.IsNaN(float64(x)) {
		return "not known"
	}
	return fmt.Sprintf("%.4g", float64(x))
}

// directions are the units of the lines, and which direction is better.
var directions = [][2]string{{"ns/op", "lower"}, {"messages/op", "lower"}, {"wait-ns", "lower"}, {"median-wait-ns", "lower"}, {"sync-ns", "lower"}, {"jain", "higher"}}

// lines prints figures in the format of "go test -bench", with the facts about the
// machine and the program.
func (r *runFlags) lines(w io.Writer, by []string, columns []*harness.Figures) error {
	units := func(yield func(unit, better string) bool) {
		for _, d := range directions {
			if !yield(d[0], d[1]) {
				return
			}
		}
	}
	facts := append(topo.Describe(), topo.Pair{Key: "pkg", Value: reflect.TypeFor[harness.Figures]().PkgPath()})
	fmt.Fprintln(w)
	if err := gobench.WriteHeader(w, units, facts); err != nil {
		return err
	}
	for k, f := range columns {
		if _, err := w.Write(r.line(by[k], f)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "PASS")
	return err
}

// line returns figures as a result of a Go benchmark.
func (r *runFlags) line(by string, f *harness.Figures) []byte {
	var values []gobench.Value
	if !r.o.Load.One() { // where time between entries means nothing
		values = append(values, gobench.Value{Value: 1e9 / f.Throughput, Unit: "ns/op"})
	}
	if messages := float64(f.Messages); !math.IsNaN(messages) {
		values = append(values, gobench.Value{Value: messages, Unit: "messages/op"})
	}
	values = append(values, gobench.Value{Value: 1e9 * f.Wait, Unit: "wait-ns"}, gobench.Value{Value: 1e9 * f.Median, Unit: "median-wait-ns"})
	if sync := float64(f.Sync); !r.o.Load.One() && !math.IsNaN(sync) {
		values = append(values, gobench.Value{Value: 1e9 * sync, Unit: "sync-ns"})
	}
	values = append(values, gobench.Value{Value: f.Jain, Unit: "jain"})
	name := fmt.Sprintf("Dme/alg=%s/nodes=%d/threads=%d/rate=%v/cs=%v/over=%s/by=%s",
		r.o.Algorithm.Name, r.o.System.Nodes, r.o.System.Threads, r.o.Load, r.o.Section, r.over, by)
	return gobench.AppendLine(nil, name+gobench.Suffix(strconv.Itoa(runtime.GOMAXPROCS(0))), uint64(f.Entries), values)
}
