package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shmbench/bench"
	"shmbench/internal/page/steps"
	"shmbench/shm"
)

// lockPage is all that is known of a lock and its variants.
type lockPage struct {
	Name, Title string
	Spec        [][2]string
	Verdicts    table
	Results     table
	Code        []function
	Executions  []*steps.Execution
	Play        []playLink
	Lacking     []string
}

// function is one of the source, with its lines.
type function struct {
	Place string
	Lines []line
}

type line struct {
	Number      int
	Text, Label string
}

// locks are the pages of all locks, with some executions, and those that are on none.
func (in *Input) locks(shown []*steps.Execution) (pages []*lockPage, others []*steps.Execution) {
	base := map[string]string{} // of each variant
	byName := map[string]*lockPage{}
	page := func(name string) *lockPage {
		name = cmp.Or(base[name], name)
		if byName[name] == nil {
			byName[name] = &lockPage{Name: name}
		}
		return byName[name]
	}
	for _, c := range in.Specs {
		if c.VariantOf != "" {
			base[c.Name] = c.VariantOf
		}
	}
	for _, c := range in.Specs {
		if p := page(c.Name); c.VariantOf == "" {
			p.Title, p.Spec = c.Title, c.rows()
		}
	}
	in.resultsOf(page)
	in.toPlay(page)
	on := map[*steps.Execution]bool{}
	code := map[string][]string{}
	for _, c := range in.Checks {
		if strings.HasPrefix(c.Algorithm, "knownbroken/") {
			continue
		}
		p := page(c.Algorithm)
		p.Verdicts.Rows = append(p.Verdicts.Rows, c.row())
		code[p.Name] = append(code[p.Name], c.Code...)
		for _, e := range c.executions {
			if slices.Contains(shown, e) {
				p.Executions, on[e] = append(p.Executions, e), true
			}
		}
	}
	for _, e := range shown {
		if on[e] {
			continue
		}
		if p := byName[e.Of]; p != nil && len(e.Code) > 0 {
			p.Executions = append(p.Executions, e)
			code[p.Name] = append(code[p.Name], e.Code...)
			continue
		}
		others = append(others, e)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		p := byName[name]
		p.Verdicts.Head = verdictHead
		places := slices.Compact(slices.SortedFunc(slices.Values(code[name]), steps.ByNumber))
		for _, place := range places {
			if text := in.Sources[place]; text != "" {
				p.Code = append(p.Code, functionOf(place, text))
			}
		}
		p.lacks()
		pages = append(pages, p)
	}
	return pages, others
}

// lacks says what the files have nothing of.
func (p *lockPage) lacks() {
	for _, what := range []struct {
		missing bool
		says    string
	}{
		{p.Spec == nil, "no specification: shmbench list -json has them"},
		{p.Verdicts.Rows == nil, "no verdict: shmbench check -json has them"},
		{p.Code == nil && p.Verdicts.Rows != nil, "no source: it is out of check's reach, or was not given"},
		{p.Results.Rows == nil, "no result: it was not measured"},
	} {
		if what.missing {
			p.Lacking = append(p.Lacking, what.says)
		}
	}
}

func functionOf(place, text string) function {
	f := function{Place: place}
	first, _ := strconv.Atoi(place[strings.LastIndex(place, ":")+1:])
	for i, text := range strings.Split(text, "\n") {
		l := line{Number: first + i, Text: text}
		if at := labeled.FindStringSubmatchIndex(text); at != nil {
			l.Text, l.Label = text[:at[0]], text[at[2]:at[3]]
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

// labeled is a line of code with the label of its line of pseudo-code.
var labeled = regexp.MustCompile(`\s*// ?([A-Za-z]?[0-9]+[a-z]?(?:, ?[A-Za-z]?[0-9]+[a-z]?)*)\s*$`)

// rows are the specification, as a table of two columns.
func (c Spec) rows() (rows [][2]string) {
	add := func(key, value string) {
		if value != "" {
			rows = append(rows, [2]string{key, value})
		}
	}
	add("source", c.cited())
	add("operations", c.Class.String())
	if c.MaxProcs > 0 {
		add("processes", fmt.Sprintf("%d to %d", c.MinProcs, c.MaxProcs))
	}
	add("modes", c.modes())
	if c.delegates() {
		add("kind", "delegation: "+byExecute)
	}
	if slices.Contains(c.Kinds, bench.KindRecoverable) {
		add("kind", "recoverable: a process that crashes can continue its passage")
	}
	add("claims", c.claims())
	add("registers", c.registers())
	add("weakest registers", c.weakest())
	add("remote references bounded with", c.localSpin())
	add("remote references, as published", c.published())
	add("most remote references of a passage", c.references())
	add("lemmas that hold in every state", c.lemmas())
	if a := c.Accesses; a != nil {
		add("a passage alone", fmt.Sprintf("%d loads, %d stores, %d read-modify-writes", a.Loads, a.Stores, a.RMWs))
	}
	return rows
}

func (c Spec) claims() string {
	var all []string
	switch {
	case c.Claims.StarvationFree:
		all = append(all, "starvation-free")
	case c.Claims.DeadlockFree:
		all = append(all, "deadlock-free")
	}
	if c.Claims.FCFS {
		all = append(all, "first come, first served")
	}
	all = append(all, "bypass "+c.Claims.Bypass.String())
	if c.Claims.Doorway != "" {
		all = append(all, "the doorway ends at line "+c.Claims.Doorway)
	}
	return strings.Join(all, ", ")
}

// resultsOf adds the rows of all measured results to the pages of the locks.
func (in *Input) resultsOf(page func(string) *lockPage) {
	head := []string{"load", "measured", "lock", "ns a passage", "transfers", "handoff, ns", "median latency, ns", "99%, ns", "Jain's index", "longest run"}
	for _, r := range in.Runs {
		for _, t := range r.ranked.Tables {
			for _, row := range t.Rows {
				p := page(row.Algorithm)
				value := func(unit string, scale float64) string {
					if v, ok := row.Values[unit]; ok {
						return number(v * scale)
					}
					return ""
				}
				cost := value("sec/op", 1e9)
				if all := row.All["sec/op"]; len(all) > 1 {
					cost = spread(all)
				}
				if !row.Ranked {
					cost += ", doubtful: " + row.Doubt
				}
				p.Results.Head = head
				p.Results.Rows = append(p.Results.Rows, []string{t.Workload.String(), r.Label, row.Algorithm, cost, value("xfers/op", 1), value("handoff-sec", 1e9),
					value("p50-sec", 1e9), value("p99-sec", 1e9), value("jain-short", 1), value("longest-run", 1)})
			}
		}
	}
	for _, name := range in.Measured() {
		p := page(name)
		slices.SortStableFunc(p.Results.Rows, func(a, b []string) int { return steps.ByNumber(a[0], b[0]) })
	}
}

// published is the growth of the remote references with the number of processes, and the
// publication that states it.
func (c Spec) published() string {
	var all []string
	for _, x := range [][2]string{{c.PublishedRMR.CC, "coherent caches"}, {c.PublishedRMR.DSM, "distributed memory"}} {
		if x[0] != "" {
			all = append(all, x[0]+" with "+x[1])
		}
	}
	if all == nil {
		return ""
	}
	return strings.Join(all, ", ") + " (" + c.PublishedRMR.In + ")"
}

// references are the formulas of the most remote references among n processes.
func (c Spec) references() string {
	r := c.Claims.References
	var all []string
	for _, x := range []struct {
		most  *shm.Formula
		where string
	}{{r.WriteThrough, "write-through caches"}, {r.WriteBack, "write-back caches"}, {r.Distributed, "distributed memory"}} {
		if x.most != nil {
			all = append(all, fmt.Sprintf("%v with %s", x.most, x.where))
		}
	}
	return strings.Join(all, ", ")
}
