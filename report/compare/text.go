package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"shmbench/internal/cli/table"
	"shmbench/internal/cli/words"
	"shmbench/internal/results/stat"
)

// WriteText writes the report as text: the answer, the tables, what is not in every file, and
// then the facts about the machines.
func (r *Report) WriteText(w io.Writer) error {
	for _, line := range r.Answer {
		fmt.Fprintln(w, line)
	}
	for _, i := range r.Incomplete {
		fmt.Fprintf(w, "%s is not complete: %s\n", i.File, i.How)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "%s: %s\n", n.File, n.How)
	}
	fmt.Fprintln(w)
	for i, name := range r.Files {
		fmt.Fprintf(w, "%s: %s\n", column(i), name)
	}
	for _, t := range r.Tables {
		if err := t.writeText(w); err != nil {
			return err
		}
	}
	r.writeMissing(w)
	if slices.ContainsFunc(r.Tables, Table.withoutInterval) || r.Machine != nil && r.Machine.withoutInterval() {
		fmt.Fprintf(w, "\nFewer than %d samples have no interval.\n", stat.LeastForInterval)
	}
	fmt.Fprintln(w, "\nMedians with their 95% intervals; p-values by Mann-Whitney, after Holm's correction over the table;\n\"~\": no difference at the 1% level.")
	for _, m := range r.Models {
		fmt.Fprintf(w, "\n%s was not measured: it is of a model, %s. What differs may be the model's error.\n", m.File, m.Model)
	}
	err := r.writeDifferences(w)
	if r.Machine != nil {
		fmt.Fprint(w, "\nThe machine and the harness themselves:")
		err = r.Machine.writeText(w)
	}
	return err
}

// writeMissing writes in one line how many benchmarks only some files have.
func (r *Report) writeMissing(w io.Writer) {
	var order []string
	names := map[string][]string{} // of benchmarks, by the files that have them
	for _, m := range r.Missing {
		var in []string
		for i, file := range r.Files {
			if slices.Contains(m.In, file) {
				in = append(in, column(i))
			}
		}
		where := strings.Join(in, " and ")
		if names[where] == nil {
			order = append(order, where)
		}
		if !slices.Contains(names[where], m.Name) {
			names[where] = append(names[where], m.Name)
		}
	}
	for i, where := range order {
		order[i] = fmt.Sprintf("%s only in %s (%s)", words.Counted(len(names[where]), "benchmark is", "benchmarks are"), where, some(names[where]))
	}
	if order != nil {
		fmt.Fprintf(w, "\nNot in every file: %s\n", strings.Join(order, "; "))
	}
}

// some names the first thing of a list.
func some(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return names[0] + " and others"
}

// writeDifferences writes what does not let results be compared, and then what else
// the files do not agree on.
func (r *Report) writeDifferences(w io.Writer) (err error) {
	configuration, provenance := r.differing(false), r.differing(true)
	if configuration == "" {
		_, err = fmt.Fprintln(w, "\nThe configurations are the same.")
	} else {
		_, err = fmt.Fprintf(w, "\nThe configurations differ, and so may the results, in:\n%s", configuration)
	}
	if provenance != "" {
		_, err = fmt.Fprintf(w, "\nThe files also differ in:\n%s", provenance)
	}
	return err
}

// differing lists the differences of a kind, with the value in each file.
func (r *Report) differing(provenance bool) string {
	var text strings.Builder
	for _, d := range r.Differences {
		if d.Provenance != provenance {
			continue
		}
		fmt.Fprintf(&text, "  %s\n", d.Key)
		for i, v := range d.Values {
			fmt.Fprintf(&text, "    %s: %s\n", column(i), cmp.Or(v, "(not said)"))
		}
	}
	return text.String()
}

// column names the i-th file: A, B, ... Z, A1, ...
func column(i int) string {
	name := string(rune('A' + i%26))
	if i >= 26 {
		name += fmt.Sprint(i / 26)
	}
	return name
}

func (t Table) writeText(w io.Writer) error {
	fmt.Fprintf(w, "\n%s, %s is better\n", t.Unit, t.Better)
	tw := table.New(w)
	fmt.Fprint(tw, "benchmark")
	for i := range t.Rows[0].Cells {
		fmt.Fprintf(tw, "\t%s\t[low, high]", column(i))
		if i > 0 {
			fmt.Fprint(tw, "\tchange\tp")
		}
	}
	fmt.Fprintln(tw)
	for _, row := range t.Rows {
		var all []float64
		for _, c := range row.Cells {
			if c.Samples > 0 {
				all = append(all, c.Median)
			}
		}
		scale := benchunit.CommonScale(all, benchunit.ClassOf(t.Unit))
		fmt.Fprint(tw, row.Name)
		for i, c := range row.Cells {
			c.write(tw, scale, i > 0)
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if t.LeftOut > 0 {
		fmt.Fprintln(w, words.Counted(t.LeftOut, "sample is", "samples are")+" left out:")
		for _, text := range t.Doubts {
			fmt.Fprintf(w, "  %s\n", text)
		}
	}
	return t.warn(w)
}

func (c Cell) write(w io.Writer, scale benchunit.Scaler, further bool) {
	switch {
	case c.Samples == 0:
		fmt.Fprint(w, "\t-\t-")
	case c.withoutInterval():
		fmt.Fprintf(w, "\t%s\t(samples: %d)", scale.Format(c.Median), c.Samples)
	default:
		fmt.Fprintf(w, "\t%s\t[%s, %s]", scale.Format(c.Median), scale.Format(float64(c.Low)), scale.Format(float64(c.High)))
	}
	switch {
	case !further:
	case !c.Compared:
		fmt.Fprint(w, "\t-\t-")
	case c.P >= stat.Significant:
		fmt.Fprintf(w, "\t~\t%.3f", c.P)
	case math.IsInf(float64(c.Change), 0):
		fmt.Fprintf(w, "\tfrom 0\t%.3f", c.P)
	default:
		fmt.Fprintf(w, "\t%+.1f%%\t%.3f", 100*c.Change, c.P)
	}
}

// withoutInterval reports whether some median has no interval.
func (t Table) withoutInterval() bool {
	return slices.ContainsFunc(t.Rows, func(row Row) bool {
		return slices.ContainsFunc(row.Cells, func(c Cell) bool {
			return c.Samples > 0 && c.withoutInterval()
		})
	})
}

// withoutInterval reports whether the samples are too few for an interval.
func (c Cell) withoutInterval() bool {
	return math.IsInf(float64(c.Low), 0) || math.IsInf(float64(c.High), 0)
}

// warn says so if the samples are too few for any difference to show.
func (t Table) warn(w io.Writer) error {
	comparisons, least := t.comparisons(), 1.0
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if c.Compared {
				least = min(least, stat.LeastP(row.Cells[0].Samples, c.Samples))
			}
		}
	}
	if least*float64(comparisons) < stat.Significant {
		return nil
	}
	_, err := fmt.Fprintf(w, "Too few samples: among %d comparisons a difference shows from %d samples on.\n", comparisons, stat.Enough(comparisons))
	return err
}
