package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"shmbench/bench"
)

// machine identifies the machine of r.
func (r *Run) machine() string {
	return strings.Join([]string{r.Model, r.config("cpu"), r.config("cores"), r.config("caches"), r.config("goarch")}, "\x00")
}

// folder is the folder of r's file, which the files of a machine usually share.
func (r *Run) folder() string {
	name, _, _ := strings.Cut(r.Label, "/")
	return name
}

// noise is what vendors add to the names of their processors.
var noise = regexp.MustCompile(`\((R|TM|r|tm)\)| CPU| Processor|@.*`)

// machineName is "AMD EPYC, 2 cores"; without a known processor it is the run's label.
func (r *Run) machineName() string {
	name := strings.TrimSpace(noise.ReplaceAllString(r.config("cpu"), ""))
	if name == "" {
		return r.Label
	}
	switch n := r.cores(); n {
	case 0:
		return name
	case 1:
		return name + ", 1 core"
	default:
		return fmt.Sprintf("%s, %d cores", name, n)
	}
}

// title names the machine and the file of r, or the model.
func (r *Run) title() string {
	switch name := r.machineName(); {
	case r.Model != "":
		return r.Label + ": a model of " + r.Model + ", not a measurement"
	case name == r.Label:
		return name
	default:
		return name + " (" + r.Label + ")"
	}
}

// headings names the machines of some runs. Machines with the same name are told apart
// by their folders.
func headings(main []*Run) (names []string) {
	for _, r := range main {
		name := r.machineName()
		if slices.ContainsFunc(main, func(o *Run) bool { return o != r && o.machineName() == name }) && name != r.Label {
			name += " (" + r.folder() + ")"
			if slices.ContainsFunc(main, func(o *Run) bool { return o != r && o.machineName() == r.machineName() && o.folder() == r.folder() }) {
				name = r.title()
			}
		}
		names = append(names, name)
	}
	return names
}

func (r *Run) config(key string) string { return r.file.Results[0].GetConfig(key) }

// cores is the number of processors, or 0.
func (r *Run) cores() int {
	n, _ := strconv.Atoi(r.config("cores"))
	return n
}

// main returns the main run of each machine that was measured: the run that compares
// the locks as they are used by default.
func (in *Input) main() (main []*Run) {
	for _, r := range in.Runs {
		if r.Model != "" {
			continue
		}
		i := slices.IndexFunc(main, func(m *Run) bool { return m.machine() == r.machine() })
		switch {
		case i < 0:
			main = append(main, r)
		case slices.Compare(in.role(r), in.role(main[i])) > 0:
			main[i] = r
		}
	}
	return main
}

// role says how well a run can be the main one; the first number that differs decides.
// Such a run has closed loops without work, or else with one kind of work. It has the default
// way of waiting, processes that are not pinned, as many numbers of processes as any, and as
// many locks, whose variants do not count.
func (in *Input) role(r *Run) []int {
	counts, locks := map[int]bool{}, map[string]bool{}
	work, one := r.work()
	for _, t := range r.closed() {
		counts[t.Workload.Procs] = true
		for _, row := range t.Rows {
			locks[in.base(row.Algorithm)] = true
		}
	}
	truth := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	is := func(key string, usual ...string) int { return truth(slices.Contains(usual, r.config(key))) }
	return []int{truth(one && work == bench.Workload{}), truth(one), is("wait", "", policies[0]), is("pin", "", "false"), len(counts), len(locks)}
}

// base is the lock that a lock is a variant of, or the lock itself.
func (in *Input) base(name string) string {
	for _, c := range in.Specs {
		if c.Name == name {
			return cmp.Or(c.VariantOf, name)
		}
	}
	return name
}

// beginning returns the input with these runs before the others, so that the first
// chart of a section, which is open, is about a main run.
func (in *Input) beginning(with []*Run) *Input {
	sorted := *in
	sorted.Runs = slices.Clone(with)
	for _, r := range in.Runs {
		if !slices.Contains(with, r) {
			sorted.Runs = append(sorted.Runs, r)
		}
	}
	return &sorted
}
