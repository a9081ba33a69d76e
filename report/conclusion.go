package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"shmbench/internal/stat"
	"shmbench/internal/words"
	"shmbench/report/rank"
)

// conclusion is what the results of a machine come to.
type conclusion struct {
	Machine   string
	Sentences []string // the first says which lock to use
	Facts     string   // about the machine and the run
	Answers   []answer
}

// conclusions has one element for each main run.
func (in *Input) conclusions(main []*Run) (all []conclusion) {
	for i, name := range headings(main) {
		all = append(all, conclusion{name, in.advice(main[i]), facts(main[i]), in.answers(main[i])})
	}
	return all
}

// facts are the conditions of the conclusion.
func facts(r *Run) string {
	said := []string{r.saidWork()}
	if pin := r.config("pin"); pin != "" && pin != "false" {
		said = append(said, "processes pinned to "+pin)
	}
	if quiet, _, _ := strings.Cut(strings.TrimPrefix(r.ranked.Quiet, "The machine was "), ":"); quiet != "" {
		said = append(said, "the machine was "+quiet)
	} else {
		said = append(said, "whether the machine was quiet is not recorded")
	}
	for _, c := range []struct{ key, word string }{{"wait", "waiting policy "}, {"governor", "governor "}, {"commit", "commit "}, {"go", ""}} {
		if v := r.config(c.key); v != "" && v != "unknown" {
			said = append(said, c.word+v)
		}
	}
	if n := r.cores(); n > 0 {
		said = slices.Insert(said, 0, words.Counted(n, "core", "cores"))
	}
	said = append(said, "file "+r.Path)
	if r.file.Incomplete != "" {
		said = append(said, r.file.Incomplete)
	}
	return strings.Join(said, "; ")
}

// contest is the rows of the locks by number of processes, the best first.
type contest struct {
	procs []int
	rows  [][]rank.Row
}

// contestOf has the locks whose specification is wanted.
func (in *Input) contestOf(r *Run, want func(Spec) bool) (c contest) {
	for _, t := range r.closed() {
		rows := in.fit(&t, "sec/op", func(row rank.Row) bool {
			return slices.ContainsFunc(in.Specs, func(c Spec) bool { return c.Name == row.Algorithm && want(c) })
		})
		if len(rows) > 0 {
			c.procs, c.rows = append(c.procs, t.Workload.Procs), append(c.rows, rows)
		}
	}
	return c
}

// overall is a lock's cost over all numbers of processes.
type overall struct {
	lock string     // without its variant
	rows []rank.Row // by number of processes
}

// ranking orders the locks that are measured for all numbers of processes by the
// geometric mean of their medians.
func (in *Input) ranking(c contest) (all []overall) {
	byLock := map[string][]rank.Row{}
	for _, rows := range c.rows {
		for _, row := range rows {
			byLock[in.base(row.Algorithm)] = append(byLock[in.base(row.Algorithm)], row)
		}
	}
	for lock, rows := range byLock {
		if len(rows) == len(c.procs) {
			all = append(all, overall{lock, rows})
		}
	}
	slices.SortFunc(all, func(a, b overall) int {
		q, _, _ := b.over(a)
		return cmp.Or(cmp.Compare(1, q), cmp.Compare(a.lock, b.lock))
	})
	return all
}

// judged reports whether each median of the lock has an interval.
func (o overall) judged() bool {
	return !slices.ContainsFunc(o.rows, func(row rank.Row) bool {
		return len(row.All["sec/op"]) < stat.LeastForInterval
	})
}

// over is o's cost as a multiple of another lock's: the geometric mean over the numbers
// of processes, and that of the ends of the intervals. If a median has no interval, low is 0
// and high is infinite.
func (o overall) over(other overall) (quotient, low, high float64) {
	for i := range o.rows {
		a, b := stat.Summary(o.rows[i].All["sec/op"]), stat.Summary(other.rows[i].All["sec/op"])
		quotient += math.Log(a.Center / b.Center)
		low += math.Log(a.Lo / b.Hi)
		high += math.Log(a.Hi / b.Lo)
	}
	n := float64(len(o.rows))
	if !o.judged() || !other.judged() {
		return math.Exp(quotient / n), 0, math.Inf(1)
	}
	return math.Exp(quotient / n), math.Exp(low / n), math.Exp(high / n)
}

// advice concludes in sentences which lock to use on r's machine.
func (in *Input) advice(r *Run) (said []string) {
	if len(in.Specs) == 0 {
		return []string{"No conclusion: the specifications of the locks are missing. shmbench list -json prints them."}
	}
	if len(r.closed()) == 0 {
		return []string{"No conclusion: the run has " + r.noWork() + ". The charts have its figures."}
	}
	fair := in.contestOf(r, func(c Spec) bool { return c.Claims.StarvationFree })
	best := in.ranking(fair)
	order := in.contestOf(r, func(c Spec) bool { return c.Claims.FCFS })
	switch {
	case len(best) == 0 && len(order.rows) == 0:
		return []string{"No starvation-free lock was measured, so there is no general recommendation."}
	case len(best) == 0:
		return []string{"For first-come-first-served order, use " + in.ranges(order) + "."}
	}
	if len(best) > 0 && !best[0].judged() {
		return []string{fmt.Sprintf("No conclusion: a median needs %d samples or more for an interval, and %s has fewer with some number of processes. "+
			"Measure again, with the default number of samples.", stat.LeastForInterval, in.plain(best[0]))}
	}
	tied, next := ties(best)
	use := "Use " + in.plain(best[0])
	if len(tied) > 1 {
		use = "Use one of " + listed(in.plains(tied)) + ", which are too close to call"
	}
	switch ordered := in.ranges(order); {
	case len(order.rows) == 0:
	case len(tied) == 1 && ordered == in.plain(best[0])+" for "+span(fair.procs):
		use += ", which also serves processes first come, first served"
	default:
		use += ", unless you need first-come-first-served order: then use " + ordered
	}
	said = []string{use + ".", in.margin(fair, tied, next)}
	if without := in.doubtful(r); len(without) > 0 {
		said = append(said, "The comparison leaves out doubtful samples: "+strings.Join(without, "; ")+". Measure for longer, or on a quiet machine.")
	}
	risky := in.contestOf(r, func(c Spec) bool { return !c.Claims.StarvationFree })
	if fast := in.ranking(risky); len(fast) > 0 && slices.Equal(risky.procs, fair.procs) {
		if q, low, high := fast[0].over(best[0]); q < 1-least && high < 1 {
			said = append(said, fmt.Sprintf("If a process may starve, %s takes %s as %s.", in.called(fast[0].lock), times(q, low, high), best[0].lock))
		}
	}
	return said
}

// doubtful names the locks that have no rank with some numbers of processes, with these
// numbers.
func (in *Input) doubtful(r *Run) (said []string) {
	var names []string
	counts := map[string][]int{}
	for _, t := range r.closed() {
		for _, row := range t.Rows {
			name := in.base(row.Algorithm)
			if row.Ranked || slices.Contains(counts[name], t.Workload.Procs) {
				continue
			}
			if counts[name] == nil {
				names = append(names, name)
			}
			counts[name] = append(counts[name], t.Workload.Procs)
		}
	}
	for _, name := range names {
		said = append(said, name+" with "+numbers(counts[name]))
	}
	return said
}

// numbers lists numbers of processes: "2 and 8 processes".
func numbers(procs []int) string {
	last := len(procs) - 1
	each := []string{}
	for _, n := range procs[:last] {
		each = append(each, fmt.Sprint(n))
	}
	return listed(append(each, words.Counted(procs[last], "process", "processes")))
}

// ties returns the locks that are too close to the first to call, with the first, and
// the next lock.
func ties(best []overall) (tied []overall, next *overall) {
	tied = best[:1:1]
	for i, o := range best[1:] {
		if q, low, _ := o.over(best[0]); q < 1+least || low <= 1 {
			tied = append(tied, o)
		} else if next == nil {
			next = &best[i+1]
		}
	}
	return tied, next
}

// margin says how far the recommended locks are ahead.
func (in *Input) margin(c contest, tied []overall, next *overall) string {
	text := "It is the starvation-free lock with the lowest cost over " + span(c.procs)
	if len(tied) > 1 {
		text = "They are the starvation-free locks with the lowest cost over " + span(c.procs)
	}
	if next == nil {
		return text + "."
	}
	q, low, high := next.over(tied[0])
	return fmt.Sprintf("%s. The next, %s, takes %s, in the geometric mean.", text, in.plain(*next), times(q, low, high))
}

// plains names locks.
func (in *Input) plains(all []overall) (names []string) {
	for _, o := range all {
		names = append(names, in.plain(o))
	}
	return names
}

// plain names a lock, and its variant if that is what was measured everywhere.
func (in *Input) plain(o overall) string {
	for _, row := range o.rows {
		if row.Algorithm != o.rows[0].Algorithm {
			return in.called(o.lock)
		}
	}
	return in.called(o.rows[0].Algorithm)
}

// ranges names the best lock by number of processes, each for as long as no other lock
// is clearly ahead of it: "queue/ticket for up to 4 processes, queue/mcs for 8 or more".
func (in *Input) ranges(c contest) string {
	type part struct {
		name     string
		from, to int
	}
	tied := make([][]string, len(c.rows))
	for i, rows := range c.rows {
		best, _ := tie(rows, "sec/op")
		for _, row := range best {
			tied[i] = append(tied[i], in.base(row.Algorithm))
		}
	}
	var parts []part
	for i := 0; i < len(tied); {
		longest, end := "", i
		for _, name := range tied[i] { // the first that lasts longest
			to := i
			for to+1 < len(tied) && slices.Contains(tied[to+1], name) {
				to++
			}
			if longest == "" || to > end {
				longest, end = name, to
			}
		}
		parts = append(parts, part{in.called(longest), c.procs[i], c.procs[end]})
		i = end + 1
	}
	var said []string
	for i, p := range parts {
		switch {
		case len(parts) == 1:
			return p.name + " for " + span(c.procs)
		case i == 0 && p.from == p.to:
			said = append(said, p.name+" for "+words.Counted(p.to, "process", "processes"))
		case i == 0:
			said = append(said, p.name+" for up to "+words.Counted(p.to, "process", "processes"))
		case i == len(parts)-1:
			said = append(said, fmt.Sprintf("%s for %d or more", p.name, p.from))
		case p.from == p.to:
			said = append(said, p.name+" for "+fmt.Sprint(p.from))
		default:
			said = append(said, fmt.Sprintf("%s for %d to %d", p.name, p.from, p.to))
		}
	}
	return strings.Join(said, ", ")
}

// span names numbers of processes.
func span(procs []int) string {
	if len(procs) == 1 {
		return words.Counted(procs[0], "process", "processes")
	}
	return fmt.Sprintf("%d to %d processes", procs[0], procs[len(procs)-1])
}

// listed joins names as a sentence does.
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
