package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/internal/cli/table"
	"shmbench/internal/results/stat"
	"shmbench/report"
	"shmbench/report/rank"
)

// asked are the properties for which list -cheapest finds a lock.
var asked = []struct {
	property string
	wanted   wanted
}{
	{"deadlock-free", wanted{has: properties{"deadlock-free"}}},
	{"starvation-free", wanted{has: properties{"starvation-free"}}},
	{"bounded bypass", wanted{has: properties{"bounded-bypass"}}},
	{"first come, first served", wanted{has: properties{"fcfs"}}},
	{"local spin, coherent caches", wanted{has: properties{"local-spin-cc"}}},
	{"local spin, distributed memory", wanted{has: properties{"local-spin-dsm"}}},
	{"reads and writes, deadlock-free", wanted{class: "rw", has: properties{"deadlock-free"}}},
	{"reads and writes, starvation-free", wanted{class: "rw", has: properties{"starvation-free"}}},
	{"reads and writes, first come, first served", wanted{class: "rw", has: properties{"fcfs"}}},
	{"the same with bounded registers", wanted{class: "rw", has: properties{"fcfs", "bounded"}}},
	{"safe registers, starvation-free", wanted{class: "rw", registers: "safe", has: properties{"starvation-free"}}},
}

// cheapest is the lock with a property whose passage took the least time.
type cheapest struct {
	Property string `json:"property"`
	// Workload has before it the configuration, where the file has several.
	Workload  string `json:"workload"`
	Procs     int    `json:"procs"`
	Algorithm string `json:"algorithm"`
	// NS is the median of a passage, and Low and High its interval; too few samples
	// have none.
	NS   float64  `json:"ns"`
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// allCheapest is what -json prints.
type allCheapest struct {
	Recommendations []report.Recommendation `json:"recommendations,omitempty"`
	Cheapest        []cheapest              `json:"cheapest"`
}

// listCheapest says which of the algorithms that are measured in a file is the
// cheapest with each property, among those selected that have what w asks for.
func listCheapest(ctx context.Context, e env, path string, s selection, w wanted, asJSON bool) error {
	file, err := openResults(ctx, e.Stderr, path)
	if err != nil {
		return err
	}
	known, err := knownIn(file)
	if err != nil {
		return err
	}
	chosen, err := selected(s, known)
	if err != nil {
		return err
	}
	if chosen, err = w.among(chosen); err != nil {
		return err
	}
	all, unknown, tables := []cheapest{}, []string{}, 0
	for _, part := range file.Parts() {
		report := rank.New(part.Results)
		tables += len(report.Tables)
		found, names := cheapestOf(report, known.All, chosen)
		for _, c := range found {
			c.Workload = strings.TrimSpace(part.Part + " " + c.Workload)
			all = append(all, c)
		}
		unknown = append(unknown, names...)
	}
	if tables == 0 {
		return fmt.Errorf("-cheapest %s: no passage of a lock in it: name a file of shmbench run or go test -bench", path)
	}
	if slices.Sort(unknown); len(unknown) > 0 {
		unknown = slices.Compact(unknown)
		fmt.Fprintf(e.Stderr, "shmbench list: in %s, not in the catalog, and without a specification: %s\n", printable(path), printable(strings.Join(unknown, ", ")))
	}
	in := new(report.Input)
	in.AddResults(path, file)
	know(in)
	says, open := in.Recommendations(), unfinished(file)
	if asJSON {
		return first(writeJSON(e.Stdout, "list", open == nil, allCheapest{says, all}), open)
	}
	writeRecommendations(e.Stdout, says)
	fmt.Fprintln(e.Stdout)
	return first(printCheapest(e.Stdout, all), open)
}

// knownIn returns the locks of the catalog, and those whose specification is in
// a file of results.
func knownIn(file *benchfile.File) (cli.Named[traits], error) {
	known := cli.Named[traits]{Kind: "lock", All: traitsOf(catalog.All()), Name: func(t traits) string { return t.Name }, List: "shmbench list shows the names", Elsewhere: wrongLock, VariantOf: func(t traits) string { return t.VariantOf }}
	for name, text := range file.Specifications() {
		t, err := parseTraits(text)
		if err != nil || t.Name != name {
			return known, fmt.Errorf("%s: what it says about the lock %s is no specification: %v", file.Name, name, cmp.Or(err, fmt.Errorf("it is that of %s", t.Name)))
		}
		if !called(known.All, name) {
			known.All = append(known.All, t)
		}
	}
	return known, nil
}

// called reports whether a lock of a name is among some.
func called(all []traits, name string) bool {
	return slices.ContainsFunc(all, func(t traits) bool { return t.Name == name })
}

// cheapestOf finds the cheapest of the chosen locks, property by property in each table
// of a report, and the names in it that are not known.
func cheapestOf(report *rank.Report, known, chosen []traits) (all []cheapest, unknown []string) {
	for _, t := range report.Tables {
		for _, row := range t.Rows {
			if !called(known, row.Algorithm) && !slices.Contains(unknown, row.Algorithm) {
				unknown = append(unknown, row.Algorithm)
			}
		}
	}
	for _, ask := range asked {
		for _, t := range report.Tables {
			w := ask.wanted
			w.procs = t.Workload.Procs
			have, err := w.among(chosen)
			if err != nil {
				panic(err) // of the table above
			}
			for _, row := range t.Rows { // the quickest first
				if row.Ranked && called(have, row.Algorithm) {
					all = append(all, cheapest{ask.property, work(t.Workload), t.Workload.Procs, row.Algorithm, row.NS.Center, finite(row.NS.Lo), finite(row.NS.Hi)})
					break
				}
			}
		}
	}
	return all, unknown
}

// finite returns a number, or nil for one that is not finite.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// work is a workload without its number of processes.
func work(w bench.Workload) string {
	_, rest, _ := strings.Cut(w.String(), " ")
	return rest
}

// printCheapest prints a table for each workload: a line a property, a column a
// number of processes.
func printCheapest(w io.Writer, all []cheapest) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "No measured lock has these properties.")
		return err
	}
	var workloads []string
	for _, c := range all {
		if !slices.Contains(workloads, c.Workload) {
			workloads = append(workloads, c.Workload)
		}
	}
	for i, workload := range workloads {
		if i > 0 {
			fmt.Fprintln(w)
		}
		printWorkload(w, workload, slices.DeleteFunc(slices.Clone(all), func(c cheapest) bool { return c.Workload != workload }))
	}
	if slices.ContainsFunc(all, func(c cheapest) bool { return c.Low == nil }) {
		fmt.Fprintf(w, "\nFewer than %d samples have no interval, and may name another lock next time.", stat.LeastForInterval)
	}
	_, err := fmt.Fprint(w, "\nEach cell has the lock with the least median time of a passage, in ns with its 95% interval, among the locks that have the\nproperty for this number of processes. Locks with overlapping intervals may be as fast: shmbench run prints the ranking. Use a lock that spins\nwith at most as many goroutines as processors.\n")
	return err
}

func printWorkload(w io.Writer, workload string, all []cheapest) {
	var procs []int
	for _, c := range all {
		procs = append(procs, c.Procs)
	}
	slices.Sort(procs)
	procs = slices.Compact(procs)
	t := table.New(w)
	fmt.Fprint(t, workload)
	for _, n := range procs {
		fmt.Fprintf(t, "\tprocs=%d", n)
	}
	fmt.Fprintln(t)
	for _, ask := range asked {
		fmt.Fprint(t, ask.property)
		for _, n := range procs {
			cell := "-"
			if i := slices.IndexFunc(all, func(c cheapest) bool { return c.Property == ask.property && c.Procs == n }); i >= 0 {
				c := all[i]
				if cell = c.Algorithm + " " + short3(c.NS); c.Low != nil && c.High != nil {
					cell += fmt.Sprintf(" [%s, %s]", short3(*c.Low), short3(*c.High))
				}
			}
			fmt.Fprintf(t, "\t%s", cell)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// short3 is a number with three digits that count.
func short3(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
