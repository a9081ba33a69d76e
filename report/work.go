package report

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/internal/cli/words"
	"shmbench/report/rank"
)

// works are the different kinds of work of the closed loops that the page can conclude from,
// with 0 processes.
func (r *Run) works() (all []bench.Workload) {
	for _, t := range r.ranked.Tables {
		w := bench.Workload{CS: t.Workload.CS, NCS: t.Workload.NCS, Lines: t.Workload.Lines, Readers: t.Workload.Readers}
		if t.Workload == with(w, t.Workload.Procs) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// work is the work of the closed loops that the page concludes from. It is no work if the run
// has such loops, and else the only work of the run. It is false if the run has no such loop,
// or loops with different work.
func (r *Run) work() (work bench.Workload, one bool) {
	switch all, none := r.works(), (bench.Workload{}); {
	case slices.Contains(all, none):
		return none, true
	case len(all) == 1:
		return all[0], true
	}
	return bench.Workload{}, false
}

func with(w bench.Workload, procs int) bench.Workload {
	w.Procs = procs
	return w
}

// closed returns the tables of the closed loops that the page concludes from, by number of
// processes.
func (r *Run) closed() (tables []rank.Table) {
	work, one := r.work()
	for _, t := range r.ranked.Tables {
		if one && t.Workload == with(work, t.Workload.Procs) {
			tables = append(tables, t)
		}
	}
	return tables
}

// saidWork says which work these loops have.
func (r *Run) saidWork() string {
	work, one := r.work()
	if !one {
		return r.noWork()
	}
	text := "no work inside or outside the critical section"
	if work.CS > 0 || work.NCS > 0 || work.Lines > 0 {
		text = fmt.Sprintf("work of %v inside and %v outside the critical section", work.CS, work.NCS)
	}
	if work.Lines > 0 {
		text += ", which writes " + words.Counted(work.Lines, "shared cache line", "shared cache lines")
	}
	if work.Readers > 0 {
		text += fmt.Sprintf("; %.3g%% of the passages only read", 100*work.Readers)
	}
	return text
}

// noWork says why the page concludes from no closed loop of the run.
func (r *Run) noWork() string {
	if len(r.works()) > 0 {
		return "closed loops with different work, and none without work"
	}
	return "no closed loop with critical sections that check, and without kills"
}

// counted is the number of processes of a table, with the work.
func counted(w bench.Workload) string {
	text := words.Counted(w.Procs, "process", "processes")
	if w != (bench.Workload{Procs: w.Procs}) {
		_, work, _ := strings.Cut(w.String(), " ")
		text += ", " + work
	}
	return text
}
