package benchfile

import (
	"encoding/json"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
)

// Specifications returns the specifications of locks that the file has, each a
// bench.Specification in JSON, by the names of the locks.
func (f *File) Specifications() map[string]json.RawMessage {
	found := map[string]json.RawMessage{}
	seen := map[*benchfmt.Config]bool{} // a configuration that results share
	for _, r := range f.Results {
		if len(r.Config) == 0 || seen[&r.Config[0]] {
			continue
		}
		seen[&r.Config[0]] = true
		for _, c := range r.Config {
			if name, ok := strings.CutPrefix(c.Key, bench.SpecificationKey); ok {
				found[name] = json.RawMessage(c.Value)
			}
		}
	}
	return found
}
