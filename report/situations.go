package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shmbench/internal/cli/words"
	"shmbench/internal/results/stat"
	"shmbench/report/rank"
	"shmbench/shm"
)

// least is the part by which medians must differ to be called different, besides
// being significantly so.
const least = 0.05

// situation is a use that a lock is chosen for.
type situation struct {
	name, says string
	// where chooses the table among those of Run.closed; cores is 0 if it is not known.
	where func(tables []rank.Table, cores int) *rank.Table
	unit  string // that it is decided by, tidied
	spec  func(c Spec) bool
	fair  bool // only locks that are fair over short windows
}

var situations = []situation{
	{name: "Uncontended", says: "one process", where: alone, unit: "sec/op"},
	{name: "Contended", says: "one process a core", where: full, unit: "sec/op"},
	{name: "Oversubscribed", says: "more processes than cores, waiting processes sleep", where: over, unit: "sec/op", spec: func(c Spec) bool { return !c.spins() }},
	{name: "Fair", says: "one process a core, Jain's index over short windows 0.95 or more", where: full, unit: "sec/op", fair: true},
	{name: "First-come-first-served", says: "one process a core, by the lock's specification", where: full, unit: "sec/op", spec: func(c Spec) bool { return c.Claims.FCFS }},
	{name: "Bounded space", says: "one process a core, starvation-free, every register known and bounded", where: full, unit: "sec/op", spec: func(c Spec) bool {
		return c.Claims.StarvationFree && c.Bounded
	}},
	{name: "Reads and writes only", says: "one process a core, starvation-free, no read-modify-write operation", where: full, unit: "sec/op",
		spec: func(c Spec) bool { return c.Class == shm.ReadWrite && c.Claims.StarvationFree }},
	{name: "Short tail", says: "one process a core, the 99th percentile of latency", where: full, unit: "p99-sec"},
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

// answer is the best lock of a situation on a machine.
type answer struct {
	Situation, Says string
	// Without is why there is no answer.
	Without string
	// Best names the lock, or the locks that are too close to call, the one with the
	// least median first. Among says what distinguishes many such locks.
	Best, Among string
	Locks       []string // up to three of them
	Spins       bool     // one of them spins
	Tied        bool     // they are several
	Alone       bool     // no other measured lock fits
	Median      string   // of the first, with its interval
	Last        string   // the last of several, as a multiple of the first
	Next        string   // how far behind the next lock is; empty: there is none
}

// answers are the situations of a run.
func (in *Input) answers(r *Run) (all []answer) {
	for _, s := range situations {
		all = append(all, in.answer(s, r))
	}
	return all
}

// answer finds the best lock of a run in a situation.
func (in *Input) answer(s situation, r *Run) answer {
	a := answer{Situation: s.name, Says: s.says}
	tables := r.closed()
	t := s.where(tables, r.cores())
	if t == nil {
		a.Without = "not measured"
		return a
	}
	if t.Workload.Procs > 1 {
		a.Says = strings.NewReplacer("one process a core", fmt.Sprintf("%d processes", t.Workload.Procs),
			"more processes than cores", fmt.Sprintf("%d processes", t.Workload.Procs)).Replace(s.says)
	}
	if !hasUnit(t, s.unit) || s.fair && !hasUnit(t, "jain-short") { // as where most passages only read
		a.Without = "not measured"
		return a
	}
	most := tables[len(tables)-1]
	rows := in.fit(t, s.unit, func(row rank.Row) bool { // no lock for fewer processes than were measured
		return in.has(most, in.base(row.Algorithm)) && (!s.fair || row.Values["jain-short"] >= 0.95) && (s.spec == nil || slices.ContainsFunc(in.Specs, func(c Spec) bool { return c.Name == row.Algorithm && s.spec(c) }))
	})
	if len(rows) == 0 {
		a.Without = "no lock that was measured has this property"
		return a
	}
	if n := len(rows); n > 1 && tooFew(rows, s.unit) {
		a.Without = fmt.Sprintf("too few samples to choose among %d locks: take %d of each", n, stat.Enough(n-1))
		return a
	}
	tied, next := tie(rows, s.unit)
	var names []string
	for _, row := range tied {
		names = append(names, row.Algorithm)
		a.Spins = a.Spins || slices.ContainsFunc(in.Specs, func(c Spec) bool { return c.Name == row.Algorithm && c.spins() })
	}
	if a.Best, a.Among = rank.Group(names, Traits(in.algorithms())); a.Among == "" {
		a.Best, a.Locks = words.Listed(in.calledAll(names)), names
	}
	a.Alone, a.Tied = len(rows) == 1, len(tied) > 1
	a.Median = spread(tied[0].All[s.unit]) + " ns"
	if last := tied[len(tied)-1]; a.Tied {
		a.Last = number(last.Values[s.unit]/tied[0].Values[s.unit]) + " times as long"
	}
	if next != nil {
		a.Next = in.called(next.Algorithm) + ", takes " + behind(tied[0], *next, s.unit)
	}
	return a
}

// hasUnit reports whether a table has figures in a unit.
func hasUnit(t *rank.Table, unit string) bool {
	return slices.ContainsFunc(t.Rows, func(row rank.Row) bool { return len(row.All[unit]) > 0 })
}

// fit returns the rows that have a unit and are fit, the best first. A lock and its
// variants in layout and stores have one row together, the best of theirs.
func (in *Input) fit(t *rank.Table, unit string, fit func(rank.Row) bool) (rows []rank.Row) {
	all := slices.DeleteFunc(slices.Clone(t.Rows), func(row rank.Row) bool {
		return !row.Ranked || len(row.All[unit]) == 0 || !fit(row)
	})
	slices.SortStableFunc(all, func(a, b rank.Row) int { return cmp.Compare(a.Values[unit], b.Values[unit]) })
	seen := map[string]bool{}
	for _, row := range all {
		if base := in.base(row.Algorithm); !seen[base] {
			seen[base] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// tooFew reports whether the samples are so few that no row could be clearly behind the first.
func tooFew(rows []rank.Row, unit string) bool {
	return !slices.ContainsFunc(rows[1:], func(row rank.Row) bool {
		return stat.LeastP(len(rows[0].All[unit]), len(row.All[unit]))*float64(len(rows)-1) < stat.Significant
	})
}

// tie returns the rows that are too close to the first to call, with the first, and the
// first row that is clearly behind.
func tie(rows []rank.Row, unit string) (tied []rank.Row, next *rank.Row) {
	p := make([]float64, 0, len(rows)-1)
	for _, row := range rows[1:] {
		p = append(p, stat.Differ(rows[0].All[unit], row.All[unit]))
	}
	tied = rows[:1:1]
	for i, corrected := range stat.Holm(p) {
		row := rows[i+1]
		if corrected >= stat.Significant || row.Values[unit] < (1+least)*rows[0].Values[unit] {
			tied = append(tied, row)
		} else if next == nil {
			next = &row
		}
	}
	return tied, next
}

// behind is how many times as long one row takes as the best.
func behind(best, row rank.Row, unit string) string {
	from, to := stat.Summary(best.All[unit]), stat.Summary(row.All[unit])
	return times(to.Center/from.Center, to.Lo/from.Hi, to.Hi/from.Lo)
}
