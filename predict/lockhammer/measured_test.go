package lockhammer

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/predict"
)

var (
	measured = flag.Bool("measured", false, "hold the model against the measured curves of two hosts, which takes half a minute")
	all      = flag.Bool("all", false, "with -measured: all of the larger host's points, and not a fifth of them, which takes another half")
)

// TestMeasured: no demand is missed, and docs/predicting.md and the files of results/model have the errors as they are. Nothing
// in it depends on the time.
func TestMeasured(t *testing.T) {
	if !*measured {
		t.Skip("-measured does it")
	}
	file, err := os.Open("../testdata/lockhammer.tsv")
	require.NoError(t, err)
	defer file.Close()
	points, err := ReadPoints(file)
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/predicting.md")
	require.NoError(t, err)
	for i, host := range []struct{ name, topology, family string }{
		{"x86-2", "cores=24,threads=2", "intel"},
		{"x86-3", "sockets=2,cores=22,threads=2", "intel-before-skylake"},
	} {
		require.Contains(t, string(page), fmt.Sprintf("predict validate predict/testdata/lockhammer.tsv %s -topology %s -family %s\n", host.name, host.topology, host.family))
		m, err := predict.New(host.name, host.topology, predict.SMTFirst, host.family)
		require.NoError(t, err)
		some := i > 0 && !*all
		mine := slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
			return p.Host != host.name || some && p.Threads%5 != 0
		})
		m, _, err = Host(context.Background(), m, mine, Defaults)
		require.NoError(t, err)
		r, err := Validate(context.Background(), m, mine, Defaults)
		require.NoError(t, err)
		require.False(t, r.Missed(), "%v", r.Bars)
		if some {
			continue
		}
		require.Contains(t, string(page), "    "+parameters(r)+"\n")
		for name, lines := range inFiles(r) {
			require.Equal(t, lines, linesOf(t, name, host.name), name)
		}
	}
}

// linesOf returns the lines of a data file that are about a host.
func linesOf(t *testing.T, name, host string) (lines []string) {
	data, err := os.ReadFile("../../results/model/" + name)
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, host+"\t") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// parameters is the line of the page with the parameters that were fitted.
func parameters(r *Report) string {
	var values []string
	for _, p := range r.Machine.Parameters(r.Machine.Processors(), true) {
		if slices.Contains(r.Machine.Fitted, p.Name) {
			values = append(values, fmt.Sprintf("%s %.4g", p.Name, p.Value(r.Machine)))
		}
	}
	values = append(values, fmt.Sprintf("sibling_work %.4g", r.Machine.SiblingWork))
	return fmt.Sprintf("%s: %s; %s.", r.Host, strings.Join(values, ", "), r.Machine.Fit)
}

// inFiles are the lines of the data files that a report makes, by name of file.
func inFiles(r *Report) map[string][]string {
	files := map[string][]string{}
	add := func(file, format string, args ...any) {
		files[file] = append(files[file], r.Host+"\t"+fmt.Sprintf(format, args...))
	}
	for _, c := range r.Curves {
		note := ""
		switch {
		case c.Fitted:
			note = "fitted"
		case !c.Judged:
			note = "not judged"
		}
		add("curves.tsv", "%s\t%g\t%.0f\t%.0f\t%+.0f\t%s", c.Lock, c.CS, 100*c.Median, 100*c.Worst, 100*c.Signed, note)
	}
	for _, b := range r.Bars {
		add("demands.tsv", "%s\t%s", b.Demand, b.Found)
	}
	for _, o := range r.Orders {
		threads := fmt.Sprint(o.From)
		if o.To > o.From {
			threads = fmt.Sprintf("%d-%d", o.From, o.To)
		}
		add("orders.tsv", "%g\t%g\t%s\t%s\t%s", o.CS, o.NCS, threads, o.Measured, cmp.Or(strings.Join(o.Wrong, "; "), "none"))
	}
	return files
}
