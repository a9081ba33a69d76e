package rank

import (
	"fmt"
	"slices"
	"strings"
)

// column is a column of medians after those that every table has. Units are
// tidied: ns are seconds.
type column struct {
	head, unit string
	scale      float64
	brief      bool   // it helps to choose a lock, so that WriteShort has it, too
	meaning    string // a line of the legend
}

var columns = []column{
	{"atomics", "atomics/op", 1, true, "ns/op in units of the lock's own atomic operations"},
	{"xfers", "xfers/op", 1, true, "ns/op in units of a cache-line transfer"},
	{"handoff", "handoff-sec", 1e9, false, "time from Unlock to the next process's return from Lock"},
	{"mean", "mean-sec", 1e9, false, "mean time from calling Lock to its return"},
	{"p50", "p50-sec", 1e9, false, "median time from calling Lock to its return"},
	{"p99", "p99-sec", 1e9, false, "99th percentile of that time"},
	{"max", "max-sec", 1e9, true, "longest time from calling Lock to its return"},
	{"restart", "restart-sec", 1e9, true, "time from a kill to the restarted process's call of Recover"},
	{"recover", "recover-sec", 1e9, true, "time from that call to the critical section"},
	{"recmax", "recover-max-sec", 1e9, true, "longest time from that call to the critical section"},
	{"cpu", "cpu-sec/op", 1e9, false, "processor time of a passage"},
	{"jain", "jain", 1, true, "Jain's fairness index over the whole sample, 1 where all processes have the same share"},
	{"short", "jain-short", 1, false, "Jain's fairness index over ten passages of each process"},
	{"run", "longest-run", 1, false, "most passages of one process in a row"},
	{"bypass", "bypass", 1, false, "most passages of other processes during one wait"},
}

// briefColumns are those of WriteShort.
var briefColumns = slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return !c.brief })

// fixed explains the columns that every table has.
var fixed = map[string]string{
	"ns/op":     "wall time of a passage, all processes together",
	"latency":   "mean time from the arrival of a passage to its entry, in an open loop",
	"low, high": "the 95% interval",
	"times":     "multiple of the first row",
	"p":         `chance that the first row is ahead by luck alone (Mann-Whitney, Holm's correction over the table; "~" from 1%)`,
	"plot":      "the interval and the median (o) on a logarithmic axis",
}

// Columns explains every column of the tables, a line for each.
func Columns() string {
	var text strings.Builder
	line := func(head, meaning string) { fmt.Fprintf(&text, "%-9s  %s\n", head, meaning) }
	for _, head := range []string{"ns/op", "latency", "low, high", "times", "p"} {
		line(head, fixed[head])
	}
	for _, c := range columns {
		line(c.head, c.meaning)
	}
	return text.String()
}

// legend explains the columns that tables have shown.
type legend struct {
	columns []column
	shown   map[string]bool // by name of column
}

func newLegend(columns []column) legend {
	return legend{columns, map[string]bool{}}
}

// of adds the columns of a table.
func (l legend) of(t Table, shown []column, plots bool) {
	l.shown["latency"] = l.shown["latency"] || t.Workload.Rate > 0
	l.shown["ns/op"] = l.shown["ns/op"] || t.Workload.Rate == 0
	l.shown["plot"] = l.shown["plot"] || plots
	for _, c := range shown {
		l.shown[c.head] = true
	}
}

// String is the legend as a paragraph.
func (l legend) String() string {
	parts := []string{}
	for _, head := range []string{"ns/op", "latency", "low, high", "times", "p", "plot"} {
		if always := head == "low, high" || head == "times" || head == "p"; always || l.shown[head] {
			parts = append(parts, head+": "+fixed[head])
		}
	}
	for _, c := range l.columns {
		if l.shown[c.head] {
			parts = append(parts, c.head+": "+c.meaning)
		}
	}
	return wrap("Medians of all samples, times in ns. "+strings.Join(parts, "; ")+".") + "\n"
}
