package report

import (
	"cmp"
	"math"
	"slices"

	"shmbench/internal/results/stat"
	"shmbench/report/rank"
)

// contest compares locks over all numbers of processes of a run.
type contest struct {
	procs []int
	// locks are those with a specification and a rank with each number of processes, so that no
	// lock for two processes is among them if more were measured. The least cost comes first.
	locks []overall
}

// overall is a lock's cost over all numbers of processes of a contest.
type overall struct {
	Spec
	rows []rank.Row // by number of processes
}

// contest has the locks of r, each in its best variant.
func (in *Input) contest(r *Run) (c contest) {
	byName := map[string][]rank.Row{}
	for _, t := range r.closed() {
		c.procs = append(c.procs, t.Workload.Procs)
		for _, row := range t.Rows {
			if row.Ranked && len(row.All["sec/op"]) > 0 {
				byName[row.Algorithm] = append(byName[row.Algorithm], row)
			}
		}
	}
	for _, s := range in.Specs {
		if rows := byName[s.Name]; len(rows) == len(c.procs) && len(rows) > 0 {
			c.locks = append(c.locks, overall{s, rows})
			delete(byName, s.Name)
		}
	}
	c.sort()
	seen := map[string]bool{}
	c.locks = slices.DeleteFunc(c.locks, func(o overall) bool {
		base := cmp.Or(o.VariantOf, o.Name)
		defer func() { seen[base] = true }()
		return seen[base]
	})
	return c
}

func (c contest) sort() {
	slices.SortStableFunc(c.locks, func(a, b overall) int {
		q, _, _ := b.over(a)
		return cmp.Or(cmp.Compare(1, q), cmp.Compare(a.Name, b.Name))
	})
}

// upTo is the contest with at most so many processes.
func (c contest) upTo(most int) (few contest) {
	few.procs = slices.DeleteFunc(slices.Clone(c.procs), func(n int) bool { return n > most })
	for _, o := range c.locks {
		few.locks = append(few.locks, overall{o.Spec, o.rows[:len(few.procs)]})
	}
	few.sort()
	return few
}

// lock is the lock of a name, or nil.
func (c contest) lock(name string) *overall {
	first, _ := c.best(func(o overall) bool { return o.Name == name })
	return first
}

// judged reports whether each median of the lock has an interval.
func (o overall) judged() bool {
	return !slices.ContainsFunc(o.rows, func(row rank.Row) bool { return len(row.All["sec/op"]) < stat.LeastForInterval })
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

// with is the lock's cost with the ith number of processes alone.
func (o overall) with(i int) overall { return overall{o.Spec, o.rows[i : i+1]} }

// faster reports whether the lock clearly costs less than another one.
func (o overall) faster(other overall) bool {
	q, _, high := o.over(other)
	return q < 1-least && high < 1
}

// slowerWith is the index of a number of processes with which the lock clearly costs more than
// another one, or -1.
func (o overall) slowerWith(other overall) int {
	for i := range o.rows {
		if q, low, _ := o.with(i).over(other.with(i)); q >= 1+least && low > 1 {
			return i
		}
	}
	return -1
}

// best returns the first of the locks that fit, and the others that are too close to it to call.
func (c contest) best(fits func(overall) bool) (first *overall, tied []overall) {
	for i, o := range c.locks {
		switch {
		case !fits(o):
		case first == nil:
			first = &c.locks[i]
		default:
			if q, low, _ := o.over(*first); q < 1+least || low <= 1 {
				tied = append(tied, o)
			}
		}
	}
	return first, tied
}

// has reports whether a table has a row of a lock or of its variants.
func (in *Input) has(t rank.Table, name string) bool {
	return slices.ContainsFunc(t.Rows, func(row rank.Row) bool { return in.base(row.Algorithm) == name })
}
