package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/check/internal/spec"
	"shmbench/internal/cli/table"
	"shmbench/shm"
)

// costColumn is a column of the table of costs: what one cost of a report is in a model. The
// model "accesses" counts all accesses to shared memory. An empty cell means that the cost is none
// of the report.
type costColumn struct {
	head string
	cell func(c *Costs, m shm.RMRModel) string
}

// accesses counts accesses instead of remote memory references.
const accesses shm.RMRModel = "accesses"

var costColumns = []costColumn{
	{"contention 1, 2, … n", (*Costs).byContention},
	{"amortized", (*Costs).mean},
	{"exit section", func(c *Costs, m shm.RMRModel) string { return c.Exit.cell(m) }},
	{"aborted attempt", func(c *Costs, m shm.RMRModel) string { return c.Aborted.cell(m) }},
}

// writeCosts prints the costs by contention, the worst means, and the costs of parts of a passage, if
// there are few reports. It leaves out columns that no lock has, and locks that lack what they must have.
func (reports Table) writeCosts(w io.Writer) error {
	counted := slices.DeleteFunc(slices.Clone(reports), func(r *Report) bool { return r.Costs == nil || len(r.Violated()) > 0 })
	if len(reports) > mostSentences || len(counted) == 0 {
		return nil
	}
	columns := slices.DeleteFunc(slices.Clone(costColumns), func(c costColumn) bool {
		return !slices.ContainsFunc(counted, func(r *Report) bool { return c.cell(r.Costs, shm.Distributed) != "" })
	})
	fmt.Fprintln(w, "\nAccesses and remote memory references in the worst case, by contention, amortized, and in parts of a passage:")
	t := table.New(w)
	fmt.Fprint(t, "lock\tn\tmodel")
	for _, c := range columns {
		fmt.Fprint(t, "\t", c.head)
	}
	fmt.Fprintln(t)
	unknown := false
	for _, r := range counted {
		for _, m := range append([]shm.RMRModel{accesses}, shm.RMRModels...) {
			fmt.Fprintf(t, "%s\t%d\t%s", r.Algorithm+r.inAllModes(), r.N, m)
			for _, c := range columns {
				text := c.cell(r.Costs, m)
				if text == "" {
					text = "-"
				}
				unknown = unknown || strings.Contains(text, "?")
				fmt.Fprint(t, "\t", text)
			}
			fmt.Fprintln(t)
		}
	}
	if unknown {
		fmt.Fprintf(t, "?: there are more than %d states with caches; with -witness the limit is %d.\n", costStates, cacheStates)
	}
	return t.Flush()
}

// byContention lists the costs of a passage while at most 1, 2, … n processes are outside their remainder sections.
func (c *Costs) byContention(m shm.RMRModel) string {
	var all []string
	for _, k := range c.Contention {
		if m != accesses {
			all = append(all, bound(k.In(m)))
		}
	}
	return strings.Join(all, ", ")
}

func (c *Costs) mean(m shm.RMRModel) string {
	if c.Amortized == nil || m == accesses {
		return ""
	}
	return c.Amortized.In(m)
}

// cell is the cost of a part of a passage.
func (s *StepCosts) cell(m shm.RMRModel) string {
	switch {
	case s == nil:
		return ""
	case m == accesses:
		return bound(s.Steps)
	}
	return bound(s.In(m))
}

// bound is a largest number, which may be unbounded or unknown.
func bound(most *int) string {
	if most == nil {
		return "?"
	}
	return spec.Bound(*most)
}
