package report

import (
	"maps"
	"slices"

	"shmbench/bench"
	"shmbench/shm"
)

// choice is a way to choose among locks by their specifications.
type choice struct {
	Key, Name string
	Values    []string
}

// properties are what specifications tell, by the name under which it can be chosen.
var properties = []struct {
	name string
	has  func(c Spec) bool
}{
	{"starvation-free", func(c Spec) bool { return c.Claims.StarvationFree }},
	{"first come, first served", func(c Spec) bool { return c.Claims.FCFS }},
	{"bounded space", func(c Spec) bool { return c.Bounded }},
	{"local spin, caches", func(c Spec) bool { return c.Claims.LocalSpin.CC }},
	{"local spin, distributed", func(c Spec) bool { return c.Claims.LocalSpin.DSM }},
	{"delegation", Spec.delegates},
	{"recoverable", func(c Spec) bool { return slices.Contains(c.Kinds, bench.KindRecoverable) }},
	{"readers and writers", func(c Spec) bool { return slices.Contains(c.Modes, shm.Shared) }},
}

// choices are the ways to choose, and what is known of each lock in each way. A value
// that no lock has is not offered, and without specifications nothing is.
func (in *Input) choices() (all []choice, known map[string]map[string][]string) {
	known = map[string]map[string][]string{}
	values := map[string]map[string]bool{"family": {}, "class": {}, "property": {}}
	for _, c := range in.Specs {
		k := map[string][]string{"family": {c.Family}, "class": {c.Class.String()}}
		for _, p := range properties {
			if p.has(c) {
				k["property"] = append(k["property"], p.name)
			}
		}
		known[c.Name] = k
		for key, vs := range k {
			for _, v := range vs {
				values[key][v] = true
			}
		}
	}
	for _, c := range []choice{{"family", "Family", nil}, {"class", "Class", nil}, {"property", "Property", nil}} {
		delete(values[c.Key], "")
		if c.Values = slices.Sorted(maps.Keys(values[c.Key])); c.Values != nil {
			all = append(all, c)
		}
	}
	return all, known
}
