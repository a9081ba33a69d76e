package lockhammer

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
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

// TestMeasured: no demand is missed, and docs/predicting.md has the errors as they are. Nothing
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
		require.Contains(t, string(page), fmt.Sprintf("-validate predict/testdata/lockhammer.tsv -host %s -topology %s -family %s\n", host.name, host.topology, host.family))
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
		for _, line := range onPage(r, i) {
			require.True(t, regexp.MustCompile("(?m)^ *"+line+"$").Match(page), "the page has no line %s", line)
		}
		var orders strings.Builder
		require.NoError(t, r.writeOrders(&orders))
		for line := range strings.Lines(orders.String()) {
			require.True(t, bytes.Contains(page, []byte(strings.TrimSpace(line))), "the page has no line %s", line)
		}
	}
}

// onPage are the lines of the page that a report makes, its table having the host in the
// first columns or in those behind them.
func onPage(r *Report, at int) []string {
	var values []string
	for _, p := range r.Machine.Parameters(r.Machine.Processors(), true) {
		if slices.Contains(r.Machine.Fitted, p.Name) {
			values = append(values, fmt.Sprintf("%s %.4g", p.Name, p.Value(r.Machine)))
		}
	}
	values = append(values, fmt.Sprintf("sibling_work %.4g", r.Machine.SiblingWork))
	lines := []string{regexp.QuoteMeta(fmt.Sprintf("%s: %s; %s.", r.Host, strings.Join(values, ", "), r.Machine.Fit))}
	row := func(head, cells, note string) {
		head, cells = regexp.QuoteMeta("| "+head+" |"), regexp.QuoteMeta(cells)
		if at == 0 {
			lines = append(lines, head+cells+".*"+regexp.QuoteMeta(note))
		} else {
			lines = append(lines, head+".*"+cells+regexp.QuoteMeta(note))
		}
	}
	for _, c := range r.Curves {
		note := " |"
		switch {
		case c.Fitted:
			note = " fitted |"
		case !c.Judged:
			note = " not judged |"
		}
		row(fmt.Sprintf("%s | %g", c.Lock, c.CS), fmt.Sprintf(" %.0f %% | %.0f %% | %+.0f %% |", 100*c.Median, 100*c.Worst, 100*c.Signed), note)
	}
	for _, b := range r.Bars {
		row(b.Demand, " "+b.Found+" |", "")
	}
	return lines
}
