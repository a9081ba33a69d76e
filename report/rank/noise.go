package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shmbench/internal/cli/words"
	"shmbench/internal/results/stat"
)

// far is the multiple from which on a difference counts on a machine that was not quiet.
const far = 10

// farApart says which locks take at least ten times as long as the fastest of their table, and
// the lower bound of that multiple: the quotient of the ends of the intervals.
func (r *Report) farApart() string {
	var said []string
	for _, t := range r.Tables {
		if text := t.farApart(); text != "" {
			said = append(said, text)
		}
	}
	if said == nil {
		return "No lock certainly takes ten times as long as the fastest."
	}
	return "On this busy machine, " + strings.Join(said[:min(len(said), mostAnswers)], "; ") + "."
}

func (t Table) farApart() string {
	first := &t.Rows[0]
	var slow []*Row
	for i := range t.Rows[1:] {
		if row := &t.Rows[i+1]; row.Ranked && row.P < stat.Significant && row.NS.Lo >= far*first.NS.Hi {
			slow = append(slow, row)
		}
	}
	if slow == nil {
		return ""
	}
	slices.SortStableFunc(slow, func(a, b *Row) int { return cmp.Compare(b.NS.Lo, a.NS.Lo) })
	take := fmt.Sprintf("%s takes", slow[0].Algorithm)
	if n := len(slow) - 1; n > 0 {
		take = fmt.Sprintf("%s and %s take", slow[0].Algorithm, words.Counted(n, "other lock", "other locks"))
	}
	return fmt.Sprintf("%s, %s at least %d times as long as %s", place(t.Workload, t.Workload), take, int(slow[len(slow)-1].NS.Lo/first.NS.Hi), first.Algorithm)
}
