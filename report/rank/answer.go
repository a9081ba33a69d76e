package rank

import (
	"fmt"
	"strings"
)

// mostNamed is how many locks within noise an answer names.
const mostNamed = 3

// mostAnswers is up to how many tables the answers stand before them.
const mostAnswers = 6

// leads reports whether the lock is the best of its table, or not clearly behind it.
func (row *Row) leads() bool {
	return row.Ranked && (row.Times == 1 || row.p(1) == "~")
}

// answer says in a sentence which lock is the fastest, and which cannot be told from it.
func (t Table) answer() string {
	where := "with 1 process"
	if n := t.Workload.Procs; n > 1 {
		where = fmt.Sprintf("with %d processes", n)
	}
	_, load, _ := strings.Cut(t.Workload.String(), " ")
	if load != "cs=0 ncs=0" {
		where += " (" + load + ")"
	}
	if !t.Rows[0].Ranked {
		return "No lock is ranked " + where + ": too many samples are doubtful."
	}
	superlative := "fastest"
	if t.Workload.Rate > 0 {
		superlative = "lock with the least latency"
	}
	text := fmt.Sprintf("%s is the %s %s", t.Rows[0].Algorithm, superlative, where)
	var tied []string
	for i := range t.Rows[1:] {
		if row := &t.Rows[i+1]; row.leads() {
			tied = append(tied, row.Algorithm)
		}
	}
	switch n := len(tied); {
	case len(t.Rows) == 1:
		return text + ": no other lock was measured."
	case n == 0:
		return text + "; no other lock is within noise of it."
	case n == 1:
		return text + "; " + tied[0] + " is within noise of it."
	case n > mostNamed:
		return text + fmt.Sprintf("; %s and %d more are within noise of it.", strings.Join(tied[:mostNamed], ", "), n-mostNamed)
	default:
		return text + "; " + strings.Join(tied, ", ") + " are within noise of it."
	}
}
