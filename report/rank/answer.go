package rank

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/internal/results/stat"
)

// mostNamed is how many locks within noise an answer names.
const mostNamed = 3

// mostAnswers is up to how many tables the answers stand before them. After more tables,
// they come last.
const mostAnswers = 6

// leads reports whether the lock is the best of its table, or not clearly behind it.
func (row *Row) leads() bool {
	return row.Ranked && (row.Times == 1 || row.p(1) == "~")
}

// Answers says which lock is the fastest: a sentence for each table, and one for neighboring
// tables of the same answer that differ in the length of one section, or in the rate. If the
// machine was not quiet, it says so first, and then which locks are far apart nevertheless.
func (r *Report) Answers() (all []string) {
	if r.Noise != "" {
		return append(all, NoRecommendation(r.Noise), r.farApart())
	}
	answer := func(t Table, where string) string { return t.answer(where, r.Traits) }
	for from := 0; from < len(r.Tables); {
		first, to := r.Tables[from], from+1
		for to < len(r.Tables) && answer(first, "") == answer(r.Tables[to], "") && first.nextTo(r.Tables[to]) {
			to++
		}
		all = append(all, answer(first, place(first.Workload, r.Tables[to-1].Workload)))
		from = to
	}
	return all
}

// nextTo reports whether a later table is another step of a sweep.
func (t Table) nextTo(later Table) bool {
	return strings.Count(load(t.Workload, later.Workload), " to ") == 1
}

// place says where an answer holds: the number of processes, and the load if it has one.
func place(first, last bench.Workload) string {
	where := "with 1 process"
	if n := first.Procs; n > 1 {
		where = fmt.Sprintf("with %d processes", n)
	}
	if load := load(first, last); load != "cs=0 ncs=0" {
		where += " (" + load + ")"
	}
	return where
}

// load is a workload without its number of processes, from a step of a sweep to another:
// "cs=100 to 500 ncs=0". It is empty if the workloads are of different kinds.
func load(first, last bench.Workload) string {
	from, to := strings.Fields(first.String())[1:], strings.Fields(last.String())[1:]
	if len(from) != len(to) || first.Procs != last.Procs {
		return ""
	}
	for i := range from {
		if from[i] != to[i] {
			_, value, _ := strings.Cut(to[i], "=")
			from[i] += " to " + value
		}
	}
	return strings.Join(from, " ")
}

// answer says which lock is the fastest somewhere, which locks cannot be told from it, and
// how many locks are not ranked.
func (t Table) answer(where string, traits []Trait) string {
	if !t.Rows[0].Ranked {
		return "No lock is ranked " + where + ": too many samples are doubtful."
	}
	unranked := len(t.Rows) - t.ranked()
	switch unranked {
	case 0:
		return t.fastest(where, traits)
	case 1:
		return t.fastest(where, traits) + " 1 lock is not ranked: too many of its samples are doubtful."
	}
	return t.fastest(where, traits) + fmt.Sprintf(" %d locks are not ranked: too many of their samples are doubtful.", unranked)
}

// ranked counts the locks with a rank.
func (t Table) ranked() (n int) {
	for _, row := range t.Rows {
		if row.Ranked {
			n++
		}
	}
	return n
}

// tooFew reports whether the samples are so few that no lock could be clearly behind the first
// of these ranked ones, however far apart they are.
func (t Table) tooFew(ranked int) bool {
	first := t.Rows[0]
	return ranked > 1 && !slices.ContainsFunc(t.Rows[1:ranked], func(row Row) bool {
		return stat.LeastP(t.compared(first), t.compared(row))*float64(ranked-1) < stat.Significant
	})
}

// compared is how many samples of a row are compared.
func (t Table) compared(row Row) int { return len(row.All[bench.RankUnit(t.Workload)]) }

// fastest says in a sentence which lock is the fastest somewhere, and which locks cannot be
// told from it.
func (t Table) fastest(where string, traits []Trait) string {
	superlative := "fastest"
	if t.Workload.Rate > 0 {
		superlative = "lock with the least latency"
	}
	if n := t.ranked(); t.tooFew(n) {
		return fmt.Sprintf("%s has the lowest median %s, but the samples are too few to say which of %d locks is the %s: take %d of each.",
			t.Rows[0].Algorithm, where, n, superlative, stat.Enough(n-1))
	}
	tied := []string{t.Rows[0].Algorithm}
	for i := range t.Rows[1:] {
		if row := &t.Rows[i+1]; row.leads() {
			tied = append(tied, row.Algorithm)
		}
	}
	text := fmt.Sprintf("%s is the %s %s", tied[0], superlative, where)
	switch {
	case len(t.Rows) == 1:
		return text + ": no other lock was measured."
	case len(tied) == 1:
		return text + "; no other lock is within noise of it."
	}
	named, among := Group(tied, traits)
	return fmt.Sprintf("%s are within noise of the %s %s%s.", named, superlative, where, among)
}
