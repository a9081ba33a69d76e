package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/stat"
	"shmbench/report/rank"
)

// least is the part by which medians must differ to be called different, besides
// being significantly so.
const least = 0.05

// situation is what somebody looks for a lock for.
type situation struct {
	name, says string
	// where chooses the table among those of closed loops without work, which are
	// by number of processes; cores is 0 if it is not known.
	where func(tables []rank.Table, cores int) *rank.Table
	unit  string // that it is decided by, tidied
	card  func(c Card) bool
	row   func(r rank.Row) bool
}

var situations = []situation{
	{name: "one process", says: "time of a passage, nobody else there", where: alone, unit: "sec/op"},
	{name: "all cores", says: "time of a passage, a process a core", where: full, unit: "sec/op"},
	{name: "oversubscribed", says: "time of a passage, the most processes above the cores", where: over, unit: "sec/op"},
	{name: "fair", says: "the same on all cores, Jain's index over short windows 0.95 or more", where: full, unit: "sec/op",
		row: func(r rank.Row) bool { return r.Values["jain-short"] >= 0.95 }},
	{name: "first come, first served", says: "the same on all cores, by the card", where: full, unit: "sec/op", card: func(c Card) bool { return c.Claims.FCFS }},
	{name: "bounded space", says: "all cores, no lockout, registers known and none unbounded", where: full, unit: "sec/op", card: func(c Card) bool {
		return c.Claims.StarvationFree && c.boundedSpace()
	}},
	{name: "reads and writes only", says: "all cores, no lockout, no read-modify-write", where: full, unit: "sec/op",
		card: func(c Card) bool { return c.Class == "read/write" && c.Claims.StarvationFree }},
	{name: "low tail", says: "99th percentile of latency, all cores", where: full, unit: "p99-sec"},
}

func alone(tables []rank.Table, _ int) *rank.Table { return withProcs(tables, 1) }

func full(tables []rank.Table, cores int) *rank.Table {
	if cores < 2 {
		return nil
	}
	return withProcs(tables, cores)
}

func over(tables []rank.Table, cores int) *rank.Table {
	if n := len(tables); n > 0 && cores > 0 && tables[n-1].Workload.Procs > cores {
		return &tables[n-1]
	}
	return nil
}

func withProcs(tables []rank.Table, procs int) *rank.Table {
	for i, t := range tables {
		if t.Workload.Procs == procs {
			return &tables[i]
		}
	}
	return nil
}

// answer says which lock is the best of a run in a situation, in one cell.
func (in *Input) answer(s situation, r *Run) string {
	var tables []rank.Table
	for _, t := range r.ranked.Tables {
		w := t.Workload
		if w.CS == 0 && w.NCS == 0 && w.Lines == 0 && w.Rate == 0 && w.Readers == 0 {
			tables = append(tables, t)
		}
	}
	t := s.where(tables, r.cores())
	switch {
	case t == nil:
		return "not measured"
	case s.card != nil && len(in.Cards) == 0:
		return "needs the cards: shmbench list -json"
	}
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(row rank.Row) bool {
		unfit := !row.Ranked || len(row.All[s.unit]) == 0 || s.row != nil && !s.row(row)
		return unfit || s.card != nil && !slices.ContainsFunc(in.Cards, func(c Card) bool { return c.Name == row.Algorithm && s.card(c) })
	})
	if len(rows) == 0 {
		return "none that is measured"
	}
	slices.SortStableFunc(rows, func(a, b rank.Row) int {
		return int(math.Copysign(1, a.Values[s.unit]-b.Values[s.unit]))
	})
	best := stat.Summary(rows[0].All[s.unit])
	text := fmt.Sprintf("%s ns [%s, %s]", number(best.Center*1e9), number(best.Lo*1e9), number(best.Hi*1e9))
	p := make([]float64, 0, len(rows)-1)
	for _, row := range rows[1:] {
		p = append(p, stat.Differ(rows[0].All[s.unit], row.All[s.unit]))
	}
	var close []string
	var next *rank.Row
	for i, corrected := range stat.Holm(p) {
		row := &rows[i+1]
		if corrected >= stat.Significant || row.Values[s.unit] < (1+least)*best.Center {
			close = append(close, row.Algorithm)
		} else if next == nil {
			next = row
		}
	}
	text = rows[0].Algorithm + ", " + text
	if len(close) > 0 {
		more := ""
		if n := len(close) - 3; n > 0 {
			close, more = close[:3], fmt.Sprintf(" and %d more", n)
		}
		return "too close to call: " + text + "; no clear difference to " + strings.Join(close, ", ") + more
	}
	if next == nil {
		return text + "; no other is measured"
	}
	second := stat.Summary(next.All[s.unit])
	return fmt.Sprintf("%s; the next, %s, takes %s times as long [%s, %s]", text, next.Algorithm,
		number(second.Center/best.Center), number(second.Lo/best.Hi), number(second.Hi/best.Lo))
}

func (r *Run) config(key string) string { return r.file.Results[0].GetConfig(key) }

// cores is the number of processors, or 0.
func (r *Run) cores() int {
	n, _ := strconv.Atoi(r.config("cores"))
	return n
}

// number formats v with three digits or more.
func number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "?"
	case v == 0 || math.Abs(v) >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', min(6, max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))), 64)
}
