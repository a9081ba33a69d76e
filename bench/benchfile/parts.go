package benchfile

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/internal/results/gobench"
)

// Varied returns the keys of the configuration that is not the same for all
// results, in the order in which they appear.
func Varied(results []*benchfmt.Result) []string {
	first := map[string]string{}
	var keys, varied []string
	seen := map[*benchfmt.Config]bool{} // a configuration that results share
	for i, r := range results {
		if len(r.Config) == 0 {
			continue
		}
		if seen[&r.Config[0]] {
			continue
		}
		seen[&r.Config[0]] = true
		for _, c := range r.Config {
			if _, known := first[c.Key]; !known && c.File {
				first[c.Key] = ""
				if i == 0 {
					first[c.Key] = string(c.Value)
				}
				keys = append(keys, c.Key)
			}
		}
		for _, key := range keys {
			if r.GetConfig(key) != first[key] && !slices.Contains(varied, key) {
				varied = append(varied, key)
			}
		}
	}
	return varied
}

// Parts returns the file as one file for each configuration in it. A file of one
// configuration is its only part.
func (f *File) Parts() []*File {
	varied := Varied(f.Results)
	if varied == nil {
		return []*File{f}
	}
	var parts []*File
	for _, r := range f.Results {
		what := values(r, varied)
		i := slices.IndexFunc(parts, func(p *File) bool { return p.Part == what })
		if i < 0 {
			i, parts = len(parts), append(parts, &File{Name: f.Name, Part: what, Units: f.Units, Incomplete: f.Incomplete, Notes: f.Notes})
		}
		parts[i].Results = append(parts[i].Results, r)
	}
	return parts
}

// values returns what a result has for keys: "gomaxprocs=2 wait=busy".
func values(r *benchfmt.Result, keys []string) string {
	all := make([]string, len(keys))
	for i, key := range keys {
		all[i] = key + "=" + r.GetConfig(key)
	}
	return strings.Join(all, " ")
}

// FullName returns the name of a result with what it has for the keys of varied
// configuration: GOMAXPROCS as "go test" appends it, and other keys behind it.
func FullName(r *benchfmt.Result, varied []string) string {
	name := string(r.Name)
	if n := r.GetConfig(gobench.Processors); n != "" && slices.Contains(varied, gobench.Processors) {
		name += gobench.Suffix(n)
	}
	others := slices.DeleteFunc(slices.Clone(varied), func(key string) bool { return key == gobench.Processors })
	if len(others) == 0 {
		return name
	}
	return name + " " + values(r, others)
}
