package compare

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
)

// Difference is a fact about their results that the files do not agree on. Values
// has one element a file, with all values found in it.
type Difference struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
	// Provenance is true for a fact that does not make results incomparable, such
	// as the commit.
	Provenance bool `json:"provenance,omitempty"`
}

// variedIn returns the keys of the configuration that some file has several values
// of.
func variedIn(files []*benchfile.File) (varied []string) {
	for _, f := range files {
		for _, key := range benchfile.Varied(f.Results) {
			if !slices.Contains(varied, key) {
				varied = append(varied, key)
			}
		}
	}
	return varied
}

// ofTheFile are the keys of facts about a file and its lines. They say nothing about
// a measurement.
var ofTheFile = []string{".file", "format", bench.ForkKey}

// differences returns the facts that do not have the same values in all files, in
// the order in which they first appear. Provenance must have one value.
func differences(files []*benchfile.File) []Difference {
	var order []string
	facts := map[string]*fact{}
	for i, f := range files {
		for _, r := range f.Results {
			for _, c := range r.Config {
				if slices.Contains(ofTheFile, c.Key) {
					continue
				}
				if facts[c.Key] == nil {
					order = append(order, c.Key)
					facts[c.Key] = &fact{values: make([][]string, len(files))}
				}
				facts[c.Key].add(i, c)
			}
		}
	}
	var all []Difference
	for _, key := range order {
		f := facts[key]
		if strings.HasPrefix(key, bench.SpecificationKey) && slices.ContainsFunc(f.values, func(v []string) bool { return v == nil }) {
			continue // a lock that only some files have
		}
		d := Difference{Key: key, Provenance: !f.configuration}
		for _, v := range f.values {
			d.Values = append(d.Values, strings.Join(slices.Sorted(slices.Values(v)), " and "))
		}
		differs := func(v string) bool { return v != d.Values[0] }
		if slices.ContainsFunc(d.Values, differs) || d.Provenance && len(f.values[0]) != 1 {
			all = append(all, d)
		}
	}
	return all
}

// fact is what files say under a key.
type fact struct {
	configuration bool
	values        [][]string // by file
}

func (f *fact) add(file int, c benchfmt.Config) {
	f.configuration = f.configuration || c.File
	if v := string(c.Value); !slices.Contains(f.values[file], v) {
		f.values[file] = append(f.values[file], v)
	}
}
