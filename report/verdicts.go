package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shmbench/shm"
	"shmbench/stress"
)

func (in *Input) verdicts() section {
	s := section{ID: "verdicts", Title: "Verdicts", Says: "What check proved or refuted, for so many processes. Bypass is exact: the most entries of others during one wait. Remote references are the most of a passage, with write-back caches and where each register is at one process."}
	b := block{Title: "check", Table: table{Head: verdictHead}}
	for _, c := range in.Checks {
		b.Table.Rows = append(b.Table.Rows, c.row())
	}
	if b.Table.Rows != nil {
		s.Blocks = []block{b}
	}
	return s
}

var verdictHead = []string{"lock", "processes", "memory", "registers", "mutual exclusion", "deadlock freedom", "starvation freedom", "first come, first served", "bypass", "registers of the lock", "remote references, caches", "remote references, distributed", "specification", "states"}

// row is a verdict under verdictHead.
func (c *Check) row() []string {
	states := fmt.Sprint(c.States)
	if !c.Exhausted {
		states += ", not all"
	}
	name := c.Algorithm
	if c.Modes != nil {
		name += ", all modes"
	}
	return []string{name, fmt.Sprint(c.N), c.Memory, string(c.RegisterModel), string(c.MutualExclusion), string(c.DeadlockFreedom), string(c.StarvationFreedom), string(c.FCFS), boundOf(c.Bypass),
		c.space(), c.references(shm.WriteBack), c.references(shm.Distributed), c.spec(), states}
}

// space is the registers that were found, with the values that each had.
func (c *Check) space() string {
	var all []string
	for _, r := range c.Registers {
		text := fmt.Sprintf("%s: %d", r.Name, r.Count)
		if r.Unbounded {
			text += " unbounded"
		} else if r.Values > 0 {
			text += fmt.Sprintf(" of %d values", r.Values)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// references is the most remote references of a passage in a model, alone and among all.
func (c *Check) references(m shm.RMRModel) string {
	if c.RMR == nil {
		return ""
	}
	cost := c.RMR.In(m)
	return boundOf(cost.Alone) + " alone, " + boundOf(cost.Among) + " among all"
}

// boundOf is a bound in words.
func boundOf(bound *int) string {
	switch {
	case bound == nil:
		return "not known"
	case *bound < 0:
		return "unbounded"
	}
	return fmt.Sprint(*bound)
}

func (c *Check) spec() string {
	if len(c.Disagreements) > 0 {
		return "DISAGREES: " + strings.Join(c.Disagreements, "; ")
	}
	if strings.HasPrefix(c.Algorithm, "knownbroken/") {
		return "none: published, and wrong"
	}
	return "as it says"
}

// stress is a table of outcomes: a column for each that any lock had, all locks beside
// one another.
func (in *Input) stress() section {
	s := section{ID: "stress", Title: "Stress", Says: "What was seen on real processors, how often; an outcome that no lock had is left out. What is interesting may happen, what is forbidden never."}
	b := block{Title: "outcomes", Table: table{Head: []string{"lock"}}}
	var seen []string
	forbidden := 0
	for _, x := range in.Stresses {
		for _, o := range x.Outcomes {
			if head := headOf(o); o.Count > 0 && !slices.Contains(seen, head) {
				seen = append(seen, head)
			}
		}
	}
	for _, x := range in.Stresses {
		row := make([]string, 1+len(seen))
		row[0] = x.Algorithm
		broken := false
		for _, o := range x.Outcomes {
			if i := slices.Index(seen, headOf(o)); i >= 0 && o.Count > 0 {
				row[1+i] = fmt.Sprint(o.Count)
				broken = broken || o.Grade == stress.Forbidden
			}
		}
		if broken {
			forbidden++
		}
		b.Table.Rows = append(b.Table.Rows, row)
	}
	b.Table.Head = append(b.Table.Head, seen...)
	if b.Table.Rows != nil {
		b.Note = fmt.Sprintf("%d of %d locks had a forbidden outcome.", forbidden, len(in.Stresses))
		s.Blocks = []block{b}
	}
	return s
}

// headOf is the head of the column of an outcome.
func headOf(o stress.Outcome) string { return fmt.Sprintf("%s (%v)", o.Name, o.Grade) }

// kills is the table of the broken locks, those first that did not fare as they must.
func (in *Input) kills() section {
	s := section{ID: "kills", Title: "Broken locks", Says: "Locks with one fault each, and what found it: what is forbidden was seen of one that is killed. Some faults show on hardware hardly ever, and are found by check alone."}
	b := block{Title: "mutants", Table: table{Head: []string{"mutant", "what is broken", "must break", "got", "seen by", "with processes", "after passages", "as expected"}}}
	killed, asExpected := 0, 0
	sorted := slices.SortedStableFunc(slices.Values(in.Mutants), func(a, b stress.Kill) int { return cmp.Compare(rank01(a.AsExpected), rank01(b.AsExpected)) })
	for _, m := range sorted {
		said := "NO"
		if m.AsExpected {
			said, asExpected = "yes", asExpected+1
		}
		if m.OutOfReach != "" {
			said += ": " + m.OutOfReach
		}
		if m.Got == stress.Killed {
			killed++
		}
		b.Table.Rows = append(b.Table.Rows, []string{m.Mutant, m.Broken, m.MustGet, m.Got, m.Oracle, fmt.Sprint(m.Procs), fmt.Sprint(m.Passages), said})
	}
	if b.Table.Rows != nil {
		b.Note = fmt.Sprintf("%d of %d were killed; %d fared as they must.", killed, len(in.Mutants), asExpected)
		s.Blocks = []block{b}
	}
	return s
}

func rank01(b bool) int {
	if b {
		return 1
	}
	return 0
}
