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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/predict"
)

var (
	measured = flag.Bool("measured", false, "compare the model with the measured curves of three hosts, which takes a few minutes of processor time")
	all      = flag.Bool("all", false, "with -measured: all points of the two larger hosts, not a fifth of them, and the sensitivity to the constants")
)

// hosts are the measured machines.
var hosts = []struct{ name, topology, family string }{
	{"x86-1", "dies=4,complexes=2,cores=4,threads=2", "amd-zen"},
	{"x86-2", "cores=24,threads=2", "intel"},
	{"x86-3", "sockets=2,cores=22,threads=2", "intel-before-skylake"},
}

// TestMeasured: docs/predicting-model.md and the files of results/model have the errors and the missed demands as they are. Nothing in
// it depends on the time.
func TestMeasured(t *testing.T) {
	if !*measured {
		t.Skip("-measured does it")
	}
	file, err := os.Open("../testdata/lockhammer.tsv")
	require.NoError(t, err)
	defer file.Close()
	points, err := ReadPoints(file)
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/predicting-model.md")
	require.NoError(t, err)
	for _, host := range hosts {
		t.Run(host.name, func(t *testing.T) {
			require.Contains(t, string(page), fmt.Sprintf("predict validate predict/testdata/lockhammer.tsv %s -topology %s -family %s\n", host.name, host.topology, host.family))
			m, err := predict.New(host.name, host.topology, predict.SMTFirst, host.family)
			require.NoError(t, err)
			some := host.name != "x86-2" && !*all
			mine := slices.DeleteFunc(slices.Clone(points), func(p Point) bool {
				return p.Host != host.name || some && p.Threads%5 != 0
			})
			m, _, err = Host(context.Background(), m, mine, Defaults)
			require.NoError(t, err)
			r, err := Validate(context.Background(), m, mine, Defaults)
			require.NoError(t, err)
			if some {
				require.True(t, r.Bars[1].Met, "%v", r.Bars)
				return
			}
			files := inFiles(r)
			if *all {
				files["sensitivity.tsv"] = sensitivity(t, m, mine)
			}
			for name, lines := range files {
				assert.Equal(t, strings.Join(lines, "\n"), strings.Join(linesOf(t, name, host.name), "\n"), name)
			}
			assert.Contains(t, string(page), "    "+parameters(r)+"\n")
		})
	}
}

// sensitivity predicts every sixteenth number of threads with each constant that no host determines, halved and doubled. A
// factor is halved and doubled in what it is above 1. merged_store_chance is 0, and becomes 0.25 and 1. The machine is not fitted again,
// except for sibling_work.
func sensitivity(t *testing.T, fitted *predict.Machine, points []Point) (lines []string) {
	points = slices.Clone(points)
	predicted := func(m predict.Machine, name string, value float64) {
		m.Fitted, m.Assumed = slices.Clone(m.Fitted), slices.Clone(m.Assumed)
		siblingWork(&m, points)
		r, err := Validate(context.Background(), &m, slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return p.Threads%16 != 0 }), Defaults)
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("%s\t%s\t%.4g\t%s\t%s", r.Host, name, value, r.Bars[1].Found, r.Bars[0].Found))
	}
	predicted(*fitted, "none", 0)
	for _, scale := range []float64{0.5, 2} {
		m := *fitted
		m.OwnStoreChance *= scale
		predicted(m, "own_store_chance", m.OwnStoreChance)
		m = *fitted
		m.MergedStoreChance = scale / 2 // it is 0
		predicted(m, "merged_store_chance", m.MergedStoreChance)
		m = *fitted
		m.SiblingPoll = 1 + scale*(m.SiblingPoll-1)
		predicted(m, "sibling_poll", m.SiblingPoll)
		m = *fitted
		m.SpinExit *= scale
		predicted(m, "spin_exit_ns", m.SpinExit)
	}
	return lines
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
		add("curves.tsv", "%s\t%g\t%g\t%.0f\t%.0f\t%+.0f\t%s", c.Lock, c.CS, c.NCS, 100*c.Median, 100*c.Worst, 100*c.Signed, note)
	}
	for _, b := range r.Bars {
		met := "met"
		if !b.Met {
			met = "missed"
		}
		add("demands.tsv", "%s\t%s\t%s", b.Demand, b.Found, met)
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
